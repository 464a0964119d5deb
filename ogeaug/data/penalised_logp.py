"""Penalised logP, the target of ZINC, computed from a molecule."""

import contextlib
import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import networkx as nx
from rdkit import Chem, RDConfig
from rdkit.Chem.rdMolDescriptors import CalcCrippenDescriptors


def penalised_logp(mol: Chem.Mol) -> float:
    r"""Octanol-water partition less a charge for hard syntheses and long cycles.

    .. math:: y = \log P - \mathrm{SA} - \max(0, \text{longest ring} - 6)

    with Crippen's logP, the synthetic accessibility score of RDKit's contributions, and the rings
    of networkx's cycle basis; none of the three is normalised.

    Example:
        >>> round(penalised_logp(Chem.MolFromSmiles("c1ccccc1")), 3)
        0.687
    """
    bonds = [(b.GetBeginAtomIdx(), b.GetEndAtomIdx()) for b in mol.GetBonds()]
    longest = max(map(len, nx.cycle_basis(nx.Graph(bonds))), default=0)
    logp, _ = CalcCrippenDescriptors(mol)
    return float(logp - _sascorer().calculateScore(mol) - max(0, longest - 6))


@cache
def _sascorer() -> ModuleType:
    """RDKit ships the score as a script outside its package."""
    path = Path(RDConfig.RDContribDir) / "SA_Score" / "sascorer.py"
    spec = importlib.util.spec_from_file_location("ogeaug_sascorer", path)
    if spec is None or spec.loader is None or not path.exists():
        raise FileNotFoundError(f"this RDKit has no {path}; install the rdkit wheel from PyPI")
    module = importlib.util.module_from_spec(spec)
    with contextlib.redirect_stdout(sys.stderr):
        spec.loader.exec_module(module)
    return module
