"""OGE-Aug by the paper's practical algorithm."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.checks import check_counts
from ogeaug.encodings.base import Encoding, node_features
from ogeaug.encodings.eigvals import EigvalEncoder
from ogeaug.encodings.reading import Reading, check_printed, check_projection, read_reading
from ogeaug.encodings.readout import LastScalars, Readout
from ogeaug.encodings.roots import check_roots, check_roots_alone
from ogeaug.graph.edges import Directed, plain_edges
from ogeaug.graph.laplacian import Normalization
from ogeaug.spectrum.smoothing import fade, make_smoothing, truncation_scale
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.tensors.layer_pairs import check_pairs, make_pairs
from ogeaug.tensors.network import First, Graphs
from ogeaug.tensors.paths import check_kernel, prepare
from ogeaug.tensors.roots.network import RootNetworks
from ogeaug.tensors.rows.message import check_message_norm


class OGEAug(Encoding):
    r"""Orthogonal group equivariant augmentation (Algorithm 1 of the paper).

    Cartesian tensors at each node i, over the eigenpairs :math:`(\lambda_k, v_k)`,

    .. math::
        W^{(0)}_i = Q_0 x_i + b_0, \qquad W^{(1)}_{ik} = s_k v_{ik} \, e(\lambda_k), \qquad
        W^{(2)}_{ikl} = \rho^2(|\lambda_k - \lambda_l|) \, s_k v_{ik} \, s_l v_{il} \, q

    are multiplied (:class:`~ogeaug.tensors.rows.product.ProductLayer`) and passed along edges
    (:class:`~ogeaug.tensors.rows.message.MessageLayer`) in turn, ``num_layers`` times each; a
    linear map of :math:`W^{(0)}` is the output. A change of basis inside an eigenspace turns
    :math:`W^{(1)}` and :math:`W^{(2)}` like a vector and a matrix and leaves the output as it is.

    Where the paper can be read in two ways (:class:`~ogeaug.encodings.reading.Reading`), the
    formulas show the default; ``reading="printed"`` is the listing as it stands. Where it is
    silent: a truncated spectrum is faded out towards its cutoff by :math:`s` and scaled
    (:func:`~ogeaug.spectrum.smoothing.truncation_scale`); edge weights, if the data has them, weigh
    the messages; graphs without node features start from a learned constant. The tensors that
    nothing reads after the last layer are not computed.

    Args:
        out_channels: Width of the output.
        in_channels: Width of ``data.x``; if absent, ``data.x`` is not used.
        hidden_channels: Width h of the tensors; if absent 64, or ``out_channels`` where the reading
            has no output map. At least 4: a layer norm over 2 is a mere sign.
        num_layers: Pairs of product and message layer; 0 for ``roots`` alone.
        roots: Layers of a network at each node on all nodes of its graph
            (:class:`~ogeaug.tensors.roots.network.RootNetworks`), which sees the tensors of order 1
            with which the others start. :math:`W^{(0)}` starts from what it reads beside x or the
            constant, and the output reads it, too, through a batch norm. 0: there is none, as in
            the paper.
        delta: Eigenvalues closer than this see each other, and the cutoff of a truncated spectrum.
        order: Highest tensor order p, 1 to 4. Orders 3 and 4 tell more graphs apart; their tensors
            have :math:`n \sum c^p h` entries, where c are the sizes of the clusters of
            eigenvalues, and they always have transposes. What does not fit is refused before.
        transposes: At order 2, also use transposed factors and traces
            (:class:`~ogeaug.tensors.blocks.product.BlockProductLayer`); without, they are
            those of Algorithm 1.
        norm: ``"layer"`` (default) or ``"batch"`` normalisation of :math:`\tilde W^{(0)}`. A layer
            norm gives each graph the same features whatever it is batched with, in training too
            (but not beside ``roots`` or ``readout="every"``, which have batch norms), and needs no
            running statistics, which the untrained networks of an expressivity test do not have.
        reading: ``"ours"``, ``"printed"``, or what differs from ours, like
            ``{"in_order": True}``; see :class:`~ogeaug.encodings.reading.Reading`.
        readout: ``"last"``: the output is a linear map of the last :math:`W^{(0)}`; ``"every"``: of
            those after every pair of layers, each through a batch norm
            (:class:`~ogeaug.encodings.readout.Readout`).
        message_norm: None: messages are sums over neighbours, as in the paper; ``"sym"``: weighed
            by degrees (:func:`~ogeaug.tensors.rows.message.normalize_messages`).
        smoothing: ``"cosine"``, ``"hat"``, ``"bump"`` or a function of the distance.
        k: Eigenpairs to keep where the data has no spectrum; see :class:`AddSpectrum`.
        normalization: Likewise the Laplacian's normalisation.
        directed: Likewise what to do with one-directional edges.
        kernel: ``"torch"``: plain PyTorch; ``"compiled"``: a C++ core, several times faster, for
            order 2 on CPUs, compiled at first use; ``"auto"``: the core wherever it can be used.
            These give the same features and gradients up to rounding. ``"compiled_bf16"``: the
            core with :math:`W^{(1)}`, :math:`W^{(2)}` and factors of matrix products in bfloat16,
            sums, norms, :math:`W^{(0)}` and parameters in float32: faster, half the memory,
            features off by a few thousandths. It needs float32, a processor with AVX512-BF16 and
            hidden_channels in multiples of 64.

    Shapes:
        - ``Data`` or ``Batch`` with N nodes -> ``[N, out_channels]``

    Example:
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> encode = OGEAug(28, hidden_channels=16, num_layers=2)
        >>> encode(square).shape
        torch.Size([4, 28])
    """

    def __init__(
        self,
        out_channels: int,
        *,
        in_channels: int | None = None,
        hidden_channels: int | None = None,
        num_layers: int = 4,
        roots: int = 0,
        delta: float = 0.05,
        order: int = 2,
        transposes: bool = False,
        norm: str = "layer",
        reading: str | Reading | Mapping[str, Any] = "ours",
        readout: str = "last",
        message_norm: str | None = None,
        smoothing: str | Callable[[Tensor], Tensor] = "cosine",
        k: int | None = None,
        normalization: Normalization | None = None,
        directed: Directed = "symmetrize",
        kernel: str = "auto",
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(k, normalization, directed))
        self.reading = read_reading(reading)
        if hidden_channels is None:
            hidden_channels = 64 if self.reading.project else out_channels
        check_counts(hidden_channels=hidden_channels, order=order)
        check_kernel(kernel, order, transposes)
        check_roots(roots, num_layers, self.reading)
        if not num_layers:
            of_tensors = in_channels, order, transposes, norm, readout, message_norm, kernel
            check_roots_alone(*of_tensors, self.reading)
        if in_channels is not None:
            check_counts(in_channels=in_channels)
        check_projection(self.reading, out_channels, hidden_channels, readout)
        check_printed(reading, order, transposes, message_norm)
        check_pairs(hidden_channels, order, transposes, num_layers, norm)
        check_message_norm(message_norm)
        self.in_channels = in_channels
        self.hidden_channels = hidden_channels
        self.num_layers = num_layers
        self.num_roots = roots
        self.order = order
        self.transposes = transposes or order >= 3
        self.norm = norm
        self.message_norm = message_norm
        self.kernel = kernel
        self.smoothing = make_smoothing(smoothing, delta)
        if num_layers and in_channels is None:
            self.constant0 = nn.Parameter(torch.empty(hidden_channels))
        elif in_channels is not None:
            self.linear0 = nn.Linear(in_channels, hidden_channels)
        if self.reading.eigvals:
            self.encode_eigvals = EigvalEncoder(hidden_channels)
        else:
            self.q1 = nn.Parameter(torch.empty(hidden_channels))
        self.higher = range(2, order + 1) if num_layers else range(0)  # orders that have a q
        for p in self.higher:
            self.register_parameter(f"q{p}", nn.Parameter(torch.empty(hidden_channels)))
        self.products, self.messages = make_pairs(
            hidden_channels,
            order,
            self.transposes,
            num_layers,
            norm=norm,
            eps=self.reading.eps,
            in_order=self.reading.in_order,
        )
        self.out: Readout | LastScalars = LastScalars()
        beside = 0
        if roots:
            self.roots = RootNetworks(hidden_channels, roots, enters=num_layers > 0)
            beside = self.roots.out_channels
        if self.reading.project:
            self.out = Readout(hidden_channels, out_channels, num_layers, readout, beside=beside)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        if self.num_layers and self.in_channels is None:
            nn.init.normal_(self.constant0)
        for p in self.higher:
            nn.init.normal_(self.get_parameter(f"q{p}"))
        if self.in_channels is not None:
            self.linear0.reset_parameters()
        if self.reading.eigvals:
            self.encode_eigvals.reset_parameters()
        else:
            nn.init.normal_(self.q1)
        for part in (*self.products, *self.messages, self.out):
            part.reset_parameters()
        if self.num_roots:
            self.roots.reset_parameters()

    @property
    def weight(self) -> Tensor:
        """A parameter ``[..., h]``: tells width, precision and device."""
        if self.num_roots:
            return self.roots.weight
        found = self.products[0].mix.linear0.weight  # type: ignore[union-attr]
        assert isinstance(found, Tensor)
        return found

    def forward(self, data: Data) -> Tensor:
        spectra = self.read_spectra(data)
        device = self.weight.device
        if spectra.eigvals.device != device:
            raise ValueError(
                f"the data is on {spectra.eigvals.device}, the encoding on {device}; move one"
            )
        x = self._features(data)
        edge_index, edge_weight = plain_edges(data.edge_index), data.get("edge_weight", None)
        # Sums over products of many small numbers: half precision would not do.
        with torch.autocast(device.type, enabled=False):
            return self.encode(x, Graphs(spectra, edge_index, edge_weight))

    def encode(self, x: Tensor | None, graphs: Graphs) -> Tensor:
        """The network proper: ``[N, out_channels]``."""
        first, beside = self._start(x, graphs.spectra), None
        if self.num_roots:
            beside = self.roots(first, graphs, self.kernel)  # [N, (L + 1) 2 h]
        if not self.num_layers:
            return self.out((), beside)
        if beside is not None:
            first = replace(first, w0=first.w0 + self.roots.enter(beside))
        return self.out(prepare(self, graphs)(first), beside)

    def _start(self, x: Tensor | None, spectra: SpectrumBatch) -> First:
        dtype, device = self.weight.dtype, spectra.eigvals.device
        graph = torch.repeat_interleave(spectra.num_eigvals.to(device))  # [sum K]
        s = fade(spectra.eigvals, spectra.cutoff[graph], self.smoothing)
        scale = truncation_scale(s, graph, spectra.num_nodes.to(device))  # [B]
        scaled, s = (s * scale[graph]).to(dtype), s.to(dtype)
        start = self.constant0 if self.num_layers and x is None else s[:0]  # roots read none
        w0 = start.expand(int(spectra.num_nodes.sum()), -1) if x is None else self.linear0(x)
        e = self.encode_eigvals(spectra, s) if self.reading.eigvals else self.q1.expand(len(s), -1)
        q = [self.get_parameter(f"q{order}") for order in self.higher]
        return First(w0, spectra.eigvecs.to(dtype), scaled, e, tuple(q))

    def _features(self, data: Data) -> Tensor | None:
        return node_features(data, self.in_channels, self.weight.dtype)

    def extra_repr(self) -> str:
        return (
            f"{self.out_channels}, in_channels={self.in_channels}, "
            f"hidden_channels={self.hidden_channels}, num_layers={self.num_layers}, "
            f"roots={self.num_roots}, "
            f"order={self.order}, transposes={self.transposes}, norm={self.norm!r}, "
            f"{self.reading}, message_norm={self.message_norm!r}, "
            f"smoothing={self.smoothing}, spectrum={self.spectrum}, kernel={self.kernel!r}"
        )
