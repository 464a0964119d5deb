"""Vanilla OGE-Aug: one network for each multiplicity. Universal in theory, unstable."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.checks import check_counts
from ogeaug.encodings.base import Encoding
from ogeaug.errors import UserError
from ogeaug.graph.edges import Directed
from ogeaug.graph.laplacian import Normalization
from ogeaug.pointclouds import make_cloud
from ogeaug.pointclouds.base import encode_all, mlp, reset_parts
from ogeaug.spectrum.smoothing import fade, make_smoothing
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.spectra import Spectrum


class VanillaOGEAug(Encoding):
    r"""The paper's first construction: eigenspaces are cut apart and encoded by their dimension.

    .. math:: Z = g \Big( \big\{ \big( \mu_j, \lambda_j, f_{\mu_j}(V_j) \big) \big\}_j \Big),
        \qquad g(S) = \psi \Big( \sum_{s \in S} \phi(s) \Big)

    It tells apart what its networks tell apart, but it is not stable: where a small change splits
    an eigenspace, another :math:`f_p` takes over and the output jumps. It is here for comparison.

    Each of ``multiplicities`` has its own network: :math:`f_p` is the sum of it and of one that all
    multiplicities share. For any other p, and in eval mode for a p that never occurred in training,
    :math:`f_p` is the shared network alone. In a configuration for training, ``multiplicities:
    data`` stands for all that the training data have.

    Args:
        out_channels: Width of the output.
        hidden_channels: Width h of the networks that are not given.
        f: The point-cloud network of each multiplicity: a name of :mod:`ogeaug.pointclouds`, or a
            mapping with the ``name`` and options; Cartesian tensors of order 2 with width h if
            absent.
        make_f: In place of f: makes a network ``[n, p] -> [n, c]`` that tells its width in
            ``.channels``.
        max_multiplicity: Largest p with a network of its own, if they are not listed.
        multiplicities: All p with a network of their own.
        tolerance: Neighbouring eigenvalues less than this apart are one eigenspace.
        k: Eigenpairs to keep where the data has no spectrum; see :class:`AddSpectrum`.
        normalization: Likewise the Laplacian's normalisation.
        directed: Likewise what to do with one-directional edges.

    Shapes:
        - ``Data`` or ``Batch`` with N nodes -> ``[N, out_channels]``

    Example:
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> VanillaOGEAug(8)(square).shape
        torch.Size([4, 8])
    """

    seen: Tensor

    def __init__(
        self,
        out_channels: int,
        *,
        hidden_channels: int = 16,
        f: str | Mapping[str, Any] | None = None,
        make_f: Callable[[], nn.Module] | None = None,
        max_multiplicity: int = 4,
        multiplicities: Sequence[int] | None = None,
        tolerance: float = 1e-6,
        k: int | None = None,
        normalization: Normalization | None = None,
        directed: Directed = "symmetrize",
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(k, normalization, directed))
        if max_multiplicity < 0:
            raise ValueError(f"max_multiplicity must be at least 0, got {max_multiplicity}")
        self.multiplicities = _check_multiplicities(multiplicities, max_multiplicity)
        check_counts(hidden_channels=hidden_channels)
        if hidden_channels < 4:
            raise ValueError(f"hidden_channels={hidden_channels} is too few; at least 4 are needed")
        self.hidden_channels, m = hidden_channels, 2 * hidden_channels
        if make_f is not None and (f is not None or not callable(make_f)):
            raise TypeError(f"make_f is a function, in place of f; got {make_f!r} with f={f!r}")
        make = make_f or (lambda: make_cloud(f, hidden_channels))
        self.smoothing = make_smoothing("cosine", tolerance)  # checks that it is positive
        self.tolerance = tolerance
        self.shared = make()
        self.own = nn.ModuleList(make() for _ in self.multiplicities)
        self.phi = mlp(2 + int(self.shared.channels), m)  # type: ignore[arg-type]
        self.psi = nn.Sequential(mlp(m, m), nn.SiLU(), nn.Linear(m, out_channels))
        self.register_buffer("seen", torch.zeros(len(self.own), dtype=torch.bool))

    @classmethod
    def options_from_data(cls, options: dict[str, Any], graphs: Sequence[Data]) -> dict[str, Any]:
        if options.get("multiplicities") != "data":
            return options
        encoding = cls(1, **options | {"multiplicities": ()})
        found = {
            space.stop - space.start
            for graph in graphs
            for spectrum in encoding.read_spectra(graph)
            for space in spectrum.eigenspaces(encoding.tolerance)
        }
        return options | {"multiplicities": sorted(found)}

    def reset_parameters(self) -> None:
        reset_parts(self)
        self.seen.zero_()

    def forward(self, data: Data) -> Tensor:
        dtype = self.phi[0].weight.dtype
        spaces = [
            space
            for start, spectrum in _numbered(self.read_spectra(data))
            for space in self._spaces(spectrum, start, dtype)  # type: ignore[arg-type]
        ]
        features = self._features([space.points for space in spaces])
        columns = torch.cat([space.columns() for space in spaces])  # [M, 2]
        terms = self.phi(torch.cat([columns, torch.cat(features)], -1))  # [M, m]
        node = torch.cat([space.nodes() for space in spaces])  # [M]
        total = terms.new_zeros(int(node[-1]) + 1, terms.size(1))
        return self.psi(total.index_add(0, node, terms))

    def f(self, points: Tensor) -> Tensor:
        """The network for the dimension of the points: ``[n, p] -> [n, c]``."""
        return self._features([points])[0]

    def _features(self, clouds: list[Tensor]) -> list[Tensor]:
        """f of each, those of one dimension together."""
        features = encode_all(self.shared, clouds)
        for place, p in enumerate(self.multiplicities):
            which = [i for i, points in enumerate(clouds) if points.size(1) == p]
            if not which:
                continue
            if self.training:
                self.seen[place] = True
            elif self.seen.any() and not self.seen[place]:
                continue
            own = encode_all(self.own[place], [clouds[i] for i in which])
            for i, more in zip(which, own, strict=True):
                features[i] = features[i] + more
        return features

    def _spaces(self, spectrum: Spectrum, start: int, dtype: torch.dtype) -> Iterator["_Space"]:
        eigvals = spectrum.eigvals.double()
        s = fade(eigvals, torch.full_like(eigvals, spectrum.cutoff), self.smoothing)  # [K]
        eigvecs = (spectrum.eigvecs * s).to(dtype)  # [n, K]
        for space in spectrum.eigenspaces(self.tolerance) or [slice(0, 0)]:
            points = eigvecs[:, space]  # [n, p]
            yield _Space(points, eigvals[space].sum() / max(1, points.size(1)), start)

    def extra_repr(self) -> str:
        return (
            f"{self.out_channels}, hidden_channels={self.hidden_channels}, "
            f"multiplicities={self.multiplicities}, tolerance={self.tolerance:g}, "
            f"spectrum={self.spectrum}"
        )


class _Space(NamedTuple):
    """An eigenspace: its points ``[n, p]``, its eigenvalue, the first node of its graph."""

    points: Tensor
    value: Tensor
    start: int

    def columns(self) -> Tensor:
        """Multiplicity and eigenvalue at each node: ``[n, 2]``."""
        n, p = self.points.shape
        value = self.value.to(self.points.dtype).expand(n)
        return torch.stack([value.new_full((n,), p), value], -1)

    def nodes(self) -> Tensor:
        """The nodes in the batch: ``[n]``."""
        return torch.arange(len(self.points), device=self.points.device) + self.start


def _numbered(spectra: Iterable[Spectrum]) -> Iterator[tuple[int, Spectrum]]:
    """Each with the number of its first node."""
    start = 0
    for spectrum in spectra:
        yield start, spectrum
        start += spectrum.num_nodes


def _check_multiplicities(given: Sequence[int] | None, most: int) -> tuple[int, ...]:
    """Ascending, without repetition; those up to ``most`` if none are given."""
    if given is None:
        return tuple(range(1, most + 1))
    if isinstance(given, str):
        raise UserError(
            f"multiplicities={given!r}: 'data' is for training, where there are data to count in; "
            "else give a list, like [1, 2, 3]"
        )
    if any(isinstance(p, bool) or not isinstance(p, int) or p < 1 for p in given):
        raise UserError(f"multiplicities are whole numbers of at least 1, got {list(given)}")
    return tuple(sorted(set(given)))
