"""OGE-Aug by its definition."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.checks import check_counts
from ogeaug.encodings.base import Encoding
from ogeaug.graph.edges import Directed
from ogeaug.graph.laplacian import Normalization
from ogeaug.pointclouds import make_cloud
from ogeaug.pointclouds.base import encode_all, mlp, reset_parts
from ogeaug.spectrum.smoothing import fade, make_smoothing
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.spectra import Spectrum


class GeneralOGEAug(Encoding):
    r"""The definition of OGE-Aug, literally: one f for all eigenspaces, smoothly cut out.

    .. math::
        V_k^\text{smooth} = \big[ v_1 \rho(|\lambda_1 - \lambda_k|), \ldots,
            v_n \rho(|\lambda_n - \lambda_k|) \big], \qquad
        Z = \psi \Big( \sum_k s_k \, \phi \big( \lambda_k, f(V_k^\text{smooth}) \big) \Big)

    with :math:`\psi, \phi` row by row, f a point-cloud network invariant under O(n), and the sum
    over all eigenvalues, repeated ones as often as they occur. The equal form over distinct
    eigenvalues, each times its multiplicity, evaluates f less often (``distinct``). Columns with
    :math:`\rho = 0` are left out: f must not care about coordinates that are zero for all points.
    A truncated spectrum is faded out by :math:`s` (see :func:`ogeaug.spectrum.smoothing.fade`).

    The proposition on stability holds for this form if :math:`\psi, \phi` and f are Lipschitz.
    Graphs are taken one by one: for training, :class:`OGEAug` is faster.

    Args:
        out_channels: Width of the output.
        hidden_channels: Width h of the networks that are not given.
        psi: Maps ``[n, m]`` to ``[n, out_channels]``; an MLP with m = 2 h if absent.
        phi: Maps ``[n, 1 + c]`` to ``[n, m]``; an MLP with m = 2 h if absent.
        f: A point-cloud network, ``[n, p] -> [n, c]`` for any p (:mod:`ogeaug.pointclouds`), or its
            name there, or a mapping with its ``name`` and options; Cartesian tensors of order 2
            with c = h if absent.
        smoothing: ``"cosine"``, ``"hat"``, ``"bump"`` or a function of the distance.
        delta: Eigenvalues closer than this see each other.
        distinct: Take eigenvalues less than 1e-9 apart as one with multiplicity.
        window: Multiply :math:`\phi` by :math:`\rho(\lambda_k)` of this width: eigenvalues
            beyond it are not evaluated. Below the second eigenvalue, f is evaluated once, on
            eigenvectors that are weighted by :math:`\rho(\lambda)` of width ``delta``.
        k: Eigenpairs to keep where the data has no spectrum; see :class:`AddSpectrum`.
        normalization: Likewise the Laplacian's normalisation.
        directed: Likewise what to do with one-directional edges.

    Shapes:
        - ``Data`` or ``Batch`` with N nodes -> ``[N, out_channels]``

    Example:
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> GeneralOGEAug(8)(square).shape
        torch.Size([4, 8])
    """

    def __init__(
        self,
        out_channels: int,
        *,
        hidden_channels: int = 16,
        psi: nn.Module | None = None,
        phi: nn.Module | None = None,
        f: nn.Module | str | Mapping[str, Any] | None = None,
        smoothing: str | Callable[[Tensor], Tensor] = "cosine",
        delta: float = 0.05,
        distinct: bool = False,
        window: float | None = None,
        k: int | None = None,
        normalization: Normalization | None = None,
        directed: Directed = "symmetrize",
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(k, normalization, directed))
        check_counts(hidden_channels=hidden_channels)
        if hidden_channels < 4:
            raise ValueError(f"hidden_channels={hidden_channels} is too few; at least 4 are needed")
        self.hidden_channels, m = hidden_channels, 2 * hidden_channels
        for slot, given in {"psi": psi, "phi": phi}.items():
            if given is not None and not isinstance(given, nn.Module):
                raise TypeError(f"{slot} is a module, to be given in Python, got {given!r}")
        self.f = f if isinstance(f, nn.Module) else make_cloud(f, hidden_channels)
        if phi is None and not hasattr(self.f, "channels"):
            raise ValueError("pass phi with an f that does not tell its width in f.channels")
        self.phi = mlp(1 + int(self.f.channels), m) if phi is None else phi  # type: ignore[arg-type]
        self.psi = nn.Sequential(mlp(m, m), nn.SiLU(), nn.Linear(m, out_channels))
        if psi is not None:
            self.psi = psi  # type: ignore[assignment]
        self.smoothing = make_smoothing(smoothing, delta)
        self.distinct = distinct
        self.window = None if window is None else make_smoothing("cosine", window)

    def reset_parameters(self) -> None:
        reset_parts(self)

    def forward(self, data: Data) -> Tensor:
        dtype = next(self.parameters()).dtype
        return torch.cat([self._one(spectrum, dtype) for spectrum in self.read_spectra(data)])

    def _one(self, spectrum: Spectrum, dtype: torch.dtype) -> Tensor:
        eigvals = spectrum.eigvals.double()
        s = fade(eigvals, torch.full_like(eigvals, spectrum.cutoff), self.smoothing)  # [K]
        eigvecs = (spectrum.eigvecs * s).to(dtype)  # [n, K]
        spaces = spectrum.eigenspaces(1e-9) if self.distinct else _each(spectrum.num_eigvals)
        values, weights, clouds = [], [], []
        for space in spaces:
            value = eigvals[space].mean()
            weight = s[space].sum()  # with the multiplicity
            if self.window is not None:
                weight = weight * self.window(value.abs())
            if weight == 0:
                continue
            rho = self.smoothing((eigvals - value).abs())  # [K]
            near = rho > 0
            clouds.append(eigvecs[:, near] * rho[near].to(dtype))
            values.append(value.to(dtype))
            weights.append(weight.to(dtype))
        if not clouds:  # everything was left out by a truncation or a window
            clouds, values, weights = [eigvecs], [eigvecs.new_zeros(())], [eigvecs.new_zeros(())]
        features = torch.stack(encode_all(self.f, clouds))  # [S, n, c]
        column = torch.stack(values)[:, None, None].expand(*features.shape[:2], 1)
        terms = self.phi(torch.cat([column, features], -1).flatten(0, 1))  # [S n, m]
        terms = terms.view(*features.shape[:2], -1) * torch.stack(weights)[:, None, None]
        return self.psi(terms.sum(0))

    def extra_repr(self) -> str:
        return (
            f"{self.out_channels}, hidden_channels={self.hidden_channels}, "
            f"smoothing={self.smoothing}, distinct={self.distinct}, "
            f"window={self.window}, spectrum={self.spectrum}"
        )


def _each(count: int) -> list[slice]:
    return [slice(k, k + 1) for k in range(count)]
