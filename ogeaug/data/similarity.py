"""How alike molecules are."""

from collections.abc import Sequence

from rdkit import DataStructs
from rdkit.Chem import rdFingerprintGenerator

from ogeaug.data.molecule import parse_smiles
from ogeaug.errors import UserError


class Fingerprints:
    """Morgan fingerprints (radius 2, 2,048 bits) of molecules, to find those that are alike.

    Args:
        smiles: The molecules; those that cannot be read are like no other.

    Example:
        >>> Fingerprints(["c1ccccc1", "CCO", "CCN"]).nearest("OCC", 1)
        [(1, 1.0)]
    """

    def __init__(self, smiles: Sequence[str]) -> None:
        self._make = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
        self._bits = []
        self._places = []
        for place, text in enumerate(smiles):
            try:
                bits = self._make.GetFingerprint(parse_smiles(text))
            except UserError:
                continue
            self._bits.append(bits)
            self._places.append(place)

    def nearest(self, smiles: str, count: int) -> list[tuple[int, float]]:
        """Places and Tanimoto similarities of the molecules that are most alike, best first."""
        bits = self._make.GetFingerprint(parse_smiles(smiles))
        found = DataStructs.BulkTanimotoSimilarity(bits, self._bits)
        order = sorted(range(len(found)), key=lambda i: (-found[i], self._places[i]))
        return [(self._places[i], float(found[i])) for i in order[:count]]
