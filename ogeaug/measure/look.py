"""What an OGE-Aug sees of one graph: clusters of eigenvalues, who sees whom, features."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch_geometric.data import Data

from ogeaug.encodings.oge_aug import OGEAug
from ogeaug.spectrum.bands import find_bands
from ogeaug.spectrum.spectra import SpectrumBatch


@dataclass(frozen=True, eq=False)
class Sight:
    r"""What does not depend on the choice of eigenvectors, of one graph.

    Attributes:
        eigvals: ``[K]`` ascending.
        cluster: ``[K]`` the cluster of each eigenpair, counted from 0; eigenvalues of different
            clusters never see each other.
        sees: ``[K, K]`` :math:`\rho(|\lambda_k - \lambda_l|)`, 0 where k and l do not see each
            other.
        features: ``[n, c]`` the encoding.
        eigvecs: ``[n, K]``; single columns are arbitrary, :meth:`projector` is not.
    """

    eigvals: Tensor
    cluster: Tensor
    sees: Tensor
    features: Tensor
    eigvecs: Tensor

    @property
    def num_clusters(self) -> int:
        return int(self.cluster.max()) + 1 if len(self.cluster) else 0

    def projector(self, cluster: int) -> Tensor:
        r"""The projection :math:`P = V_c V_c^\top` onto a cluster: ``[n, n]``.

        :math:`P_{ii}` tells how much of the cluster is at node i, and :math:`P_{ij}` how node j
        looks from node i. Turning the eigenvectors inside the cluster leaves both as they are.
        """
        if not 0 <= cluster < self.num_clusters:
            raise ValueError(f"there are clusters 0 to {self.num_clusters - 1}, got {cluster}")
        columns = self.eigvecs[:, self.cluster == cluster]  # [n, p]
        return columns @ columns.T


@torch.no_grad()
def look_at(encoding: OGEAug, data: Data) -> Sight:
    """Looks at one graph through an OGE-Aug.

    Args:
        encoding: In eval mode; its delta, smoothing and spectrum options count.
        data: One graph.

    Example:
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> seen = look_at(OGEAug(8, hidden_channels=8).double().eval(), square)
        >>> seen.cluster.tolist()
        [0, 1, 1, 2]
        >>> seen.projector(1).diagonal()
        tensor([0.5000, 0.5000, 0.5000, 0.5000], dtype=torch.float64)
    """
    features = encoding(data).double()
    spectrum = next(iter(encoding.read_spectra(data)))
    eigvals = spectrum.eigvals.double()
    bands = find_bands(SpectrumBatch.stack([spectrum]), encoding.smoothing)
    sees = torch.zeros(len(eigvals), len(eigvals), dtype=torch.float64)
    sees[bands.left, bands.right] = bands.rho
    return Sight(eigvals, bands.cluster, sees, features, spectrum.eigvecs.double())
