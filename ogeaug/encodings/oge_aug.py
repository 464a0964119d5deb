"""OGE-Aug by the paper's practical algorithm."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.encodings.base import Encoding, node_features
from ogeaug.encodings.eigvals import EigvalEncoder
from ogeaug.encodings.reading import Reading, read_reading
from ogeaug.encodings.readout import LastScalars, Readout
from ogeaug.graph.edges import Directed, neighbours, plain_edges
from ogeaug.graph.laplacian import Normalization
from ogeaug.spectrum.bands import find_bands
from ogeaug.spectrum.smoothing import fade, make_smoothing, truncation_scale
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.tensors.blocks.layout import BlockLayout, BlockTensors, lay_out_blocks, start_blocks
from ogeaug.tensors.blocks.message import BlockMessageLayer
from ogeaug.tensors.blocks.product import BlockProductLayer
from ogeaug.tensors.compiled import layers
from ogeaug.tensors.compiled.functions import Start
from ogeaug.tensors.compiled.plan import Plan
from ogeaug.tensors.memory import check_bytes, check_memory
from ogeaug.tensors.paths import check_kernel, plan_core, use_core
from ogeaug.tensors.recompute import KEEP_BYTES, run_steps
from ogeaug.tensors.rows.layout import lay_out
from ogeaug.tensors.rows.message import MessageLayer, check_message_norm, normalize_messages
from ogeaug.tensors.rows.product import ProductLayer
from ogeaug.tensors.rows.records import Layout, Tensors

ORDERS = (1, 2, 3)


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
        num_layers: Pairs of product and message layer.
        delta: Eigenvalues closer than this see each other.
        order: Highest tensor order, 1, 2 or 3. Order 3 tells more graphs apart; its tensors have
            :math:`n \sum c^3 h` entries, where c are the sizes of the clusters of eigenvalues, and
            it always has transposes.
        transposes: At order 2, also use transposed factors and traces
            (:class:`~ogeaug.tensors.blocks.product.BlockProductLayer`); without, they are
            those of Algorithm 1.
        norm: ``"layer"`` (default) or ``"batch"`` normalisation of :math:`\tilde W^{(0)}`. A layer
            norm gives each graph the same features whatever it is batched with, in training too,
            and needs no running statistics, which the untrained networks of an expressivity test
            do not have.
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
        self._check_reading(reading, hidden_channels, readout, message_norm, order, transposes)
        check_kernel(kernel, order, transposes)
        if order not in ORDERS:
            raise ValueError(f"order {order} is not supported; choose from {ORDERS}")
        if transposes and order == 1:
            raise ValueError("tensors of order 1 have no transposes; use order=2 or order=3")
        check_message_norm(message_norm)
        if num_layers < 1:
            raise ValueError(f"num_layers must be at least 1, got {num_layers}")
        if hidden_channels < 1 or (norm == "layer" and hidden_channels < 4):
            raise ValueError(
                f"hidden_channels={hidden_channels} is too few: with norm='layer' at least 4 are "
                "needed (a layer norm over 2 channels is a mere sign, over 1 it is zero)"
            )
        self.in_channels = in_channels
        self.hidden_channels = hidden_channels
        self.num_layers = num_layers
        self.order = order
        self.transposes = transposes or order == 3
        self.norm = norm
        self.message_norm = message_norm
        self.kernel = kernel
        self.smoothing = make_smoothing(smoothing, delta)
        if in_channels is None:
            self.constant0 = nn.Parameter(torch.empty(hidden_channels))
        else:
            self.linear0 = nn.Linear(in_channels, hidden_channels)
        if self.reading.eigvals:
            self.encode_eigvals = EigvalEncoder(hidden_channels)
        else:
            self.q1 = nn.Parameter(torch.empty(hidden_channels))
        if order >= 2:
            self.q2 = nn.Parameter(torch.empty(hidden_channels))
        if order >= 3:
            self.q3 = nn.Parameter(torch.empty(hidden_channels))
        last = num_layers - 1
        product = BlockProductLayer if self.transposes else ProductLayer
        message = BlockMessageLayer if self.transposes else MessageLayer
        same: dict[str, Any] = {"norm": norm, "eps": self.reading.eps}
        self.products = nn.ModuleList(
            product(hidden_channels, order, final=i == last, in_order=self.reading.in_order, **same)
            for i in range(num_layers)
        )
        self.messages = nn.ModuleList(
            message(hidden_channels, order, final=i == last, **same) for i in range(num_layers)
        )
        self.out: Readout | LastScalars = LastScalars()
        if self.reading.project:
            self.out = Readout(hidden_channels, out_channels, num_layers, readout)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        if self.in_channels is None:
            nn.init.normal_(self.constant0)
        if self.order >= 2:
            nn.init.normal_(self.q2)
        if self.order >= 3:
            nn.init.normal_(self.q3)
        if self.in_channels is not None:
            self.linear0.reset_parameters()
        if self.reading.eigvals:
            self.encode_eigvals.reset_parameters()
        else:
            nn.init.normal_(self.q1)
        for part in (*self.products, *self.messages, self.out):
            part.reset_parameters()

    @property
    def weight(self) -> Tensor:
        """A parameter ``[h, h]``: tells width, precision and device."""
        found = self.products[0].mix.linear0.weight  # type: ignore[union-attr]
        assert isinstance(found, Tensor)
        return found

    def forward(self, data: Data) -> Tensor:
        spectra = self.read_spectra(data)
        dtype, device = self.weight.dtype, self.weight.device
        if spectra.eigvals.device != device:
            raise ValueError(
                f"the data is on {spectra.eigvals.device}, the encoding on {device}; move one"
            )
        x = self._features(data)
        edge_index, edge_weight = plain_edges(data.edge_index), data.get("edge_weight", None)
        # Sums over products of many small numbers: half precision would not do.
        with torch.autocast(device.type, enabled=False):
            plan = self._plan(edge_index, data.num_nodes, edge_weight, spectra)
            if plan is not None:
                return self.encode_compiled(x, spectra, plan)
            edges, weight = neighbours(edge_index, data.num_nodes, edge_weight)
            if self.message_norm is not None:
                weight = normalize_messages(edges[0], edges[1], weight, data.num_nodes)
            if self.order >= 2:
                check_memory(spectra, self.smoothing, self.order, self.hidden_channels, dtype)
            if self.transposes:
                blocks = lay_out_blocks(spectra, edges, weight, self.smoothing, dtype)
                return self.encode(x, spectra, blocks)
            bands = find_bands(spectra, self.smoothing) if self.order >= 2 else None
            return self.encode(x, spectra, lay_out(spectra, edges, weight, bands, dtype))

    def encode(
        self, x: Tensor | None, spectra: SpectrumBatch, layout: Layout | BlockLayout
    ) -> Tensor:
        """The network proper, once the layout is known."""
        w = self.start(x, spectra, layout)
        seen = []
        for product, message in zip(self.products, self.messages, strict=True):
            w = product(w, layout)
            w = message(w, layout)  # the tensors before the product are free by now
            seen.append(w.w0)
        return self.out(seen)  # [N, out_channels]

    def encode_compiled(self, x: Tensor | None, spectra: SpectrumBatch, plan: Plan) -> Tensor:
        """The same network by the compiled core.

        Large tensors are not kept for the backward pass but computed again
        (:func:`~ogeaug.tensors.recompute.run_steps`); with a batch norm they are kept, since its
        running statistics would count the batch twice.
        """
        w0, (s, scaled) = self._start0(x, plan.num_rows[0]), self._fade(spectra)
        v, e = spectra.eigvecs.to(s.dtype), self._eigvals(spectra, s)

        both = zip(self.products, self.messages, strict=True)
        pairs = [partial(layers.pair, product, message, plan) for product, message in both]

        def first(w0: Tensor, e: Tensor) -> tuple[Tensor, ...]:
            return pairs[0](w0, *Start.apply(plan, v, scaled, e, self.q2))

        least = 2 * plan.row_bytes(self.hidden_channels)  # what goes into a layer and comes out
        if least > KEEP_BYTES:
            check_bytes(least, spectra, self.smoothing, self.order, self.hidden_channels)
        kept = self.num_layers * least
        recompute = kept > KEEP_BYTES and self.norm != "batch" and torch.is_grad_enabled()
        seen = run_steps([first, *pairs[1:]], w0, e, recompute=recompute)
        return self.out(seen)  # [N, out_channels]

    def start(
        self, x: Tensor | None, spectra: SpectrumBatch, layout: Layout | BlockLayout
    ) -> Tensors | BlockTensors:
        """The tensors before the first layer."""
        dtype = self.weight.dtype
        w0, (s, scaled) = self._start0(x, layout.num_nodes), self._fade(spectra)
        e = self._eigvals(spectra, s)  # [sum K, h]
        if isinstance(layout, BlockLayout):
            q = (self.q2, self.q3) if self.order == 3 else (self.q2,)
            return start_blocks(w0, spectra.eigvecs.to(dtype), scaled, e, q, layout)
        v = spectra.eigvecs.to(dtype) * scaled.index_select(0, layout.eig)  # [N1]
        w1 = v.unsqueeze(-1) * e.index_select(0, layout.eig)  # [N1, h]
        if layout.pairs is None:
            return Tensors(w0, w1)
        pairs = layout.pairs
        vv = v.index_select(0, pairs.left) * v.index_select(0, pairs.right)  # [N2]
        return Tensors(w0, w1, pairs.rho2 * vv.unsqueeze(-1) * self.q2)  # w2: [N2, h]

    def _start0(self, x: Tensor | None, num_nodes: int) -> Tensor:
        return self.constant0.expand(num_nodes, -1) if x is None else self.linear0(x)  # [N, h]

    def _eigvals(self, spectra: SpectrumBatch, s: Tensor) -> Tensor:
        """What multiplies the eigenvectors: ``[sum K, h]``."""
        if not self.reading.eigvals:
            return self.q1.expand(len(s), -1)
        found: Tensor = self.encode_eigvals(spectra, s)
        return found

    def _fade(self, spectra: SpectrumBatch) -> tuple[Tensor, Tensor]:
        """The fading weights s ``[sum K]``, and those times the truncation's scale."""
        dtype, device = self.weight.dtype, spectra.eigvals.device
        graph = torch.repeat_interleave(spectra.num_eigvals.to(device))  # [sum K]
        s = fade(spectra.eigvals, spectra.cutoff[graph], self.smoothing)
        scale = truncation_scale(s, graph, spectra.num_nodes.to(device))  # [B]
        return s.to(dtype), (s * scale[graph]).to(dtype)

    def _plan(
        self, edge_index: Tensor, num_nodes: int, edge_weight: Tensor | None, spectra: SpectrumBatch
    ) -> Plan | None:
        """For the compiled core; None if it cannot do this batch."""
        weight = self.weight
        unfit = self.order != 2 or self.transposes
        if unfit or not use_core(self.kernel, weight, spectra, edge_weight):
            return None
        return plan_core(
            self.kernel,
            edge_index,
            num_nodes,
            edge_weight,
            spectra,
            self.smoothing,
            weight.dtype,
            normalize=self.message_norm is not None,
        )

    def _features(self, data: Data) -> Tensor | None:
        return node_features(data, self.in_channels, self.weight.dtype)

    def _check_reading(
        self,
        given: object,
        hidden_channels: int,
        readout: str,
        message_norm: str | None,
        order: int,
        transposes: bool,
    ) -> None:
        if not self.reading.project and hidden_channels != self.out_channels:
            raise ValueError(
                f"without an output map W0 is the output: hidden_channels={hidden_channels} must "
                f"be out_channels={self.out_channels}; or read with project=True"
            )
        if not self.reading.project and readout != "last":
            raise ValueError(f"readout={readout!r} needs an output map: read with project=True")
        if given == "printed" and (message_norm is not None or transposes or order > 2):
            raise ValueError(
                "reading='printed' is the listing as it stands: tensors up to order 2, no "
                "transposes, messages as sums; leave message_norm, transposes and order=3 out"
            )

    def extra_repr(self) -> str:
        return (
            f"{self.out_channels}, in_channels={self.in_channels}, "
            f"hidden_channels={self.hidden_channels}, num_layers={self.num_layers}, "
            f"order={self.order}, transposes={self.transposes}, norm={self.norm!r}, "
            f"{self.reading}, message_norm={self.message_norm!r}, "
            f"smoothing={self.smoothing}, spectrum={self.spectrum}, kernel={self.kernel!r}"
        )
