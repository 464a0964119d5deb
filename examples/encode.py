"""Encodes RDKit's NCI molecules, measures what the encoding promises, and draws one of them.

Run it by  python examples/encode.py; it writes out/demo.png.
"""

import time
from pathlib import Path

import torch
from rdkit import Chem, RDConfig, rdBase
from rich.console import Console
from rich.progress import track
from rich.table import Table
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader

from ogeaug import AddSpectrum, OGEAug
from ogeaug.measure import basis_error, draw_encoding, permutation_error, sign_error

CAFFEINE = "CN1C=NC2=C1C(=O)N(C(=O)N2C)C"
console = Console()


def molecule(smiles: str) -> Data | None:
    """Atoms and bonds as a graph without features; None if RDKit cannot read it."""
    mol = Chem.MolFromSmiles(smiles)
    if mol is None or mol.GetNumAtoms() == 0:
        return None
    bonds = [(b.GetBeginAtomIdx(), b.GetEndAtomIdx()) for b in mol.GetBonds()]
    edges = torch.tensor(bonds + [(j, i) for i, j in bonds]).long().reshape(-1, 2).T
    return Data(edge_index=edges, num_nodes=mol.GetNumAtoms())


def main() -> None:
    torch.manual_seed(0)
    path = Path(RDConfig.RDDataDir) / "NCI" / "first_5K.smi"
    smiles = [line.split()[0] for line in path.read_text().splitlines() if line.strip()]
    with rdBase.BlockLogs():  # RDKit would print every molecule that it cannot read
        graphs = [data for s in smiles if (data := molecule(s)) is not None]
    console.print(f"{len(graphs)} NCI molecules ({len(smiles) - len(graphs)} could not be read)")

    add = AddSpectrum()
    start = time.perf_counter()
    graphs = [add(data) for data in track(graphs, "Spectra  ", console=console)]
    spectra_rate = len(graphs) / (time.perf_counter() - start)

    encode = OGEAug(28, hidden_channels=32, num_layers=3).eval()
    loader = DataLoader(graphs, batch_size=64)
    start = time.perf_counter()
    with torch.no_grad():
        for batch in track(loader, "Encodings", console=console):
            encode(batch)
    encode_rate = len(graphs) / (time.perf_counter() - start)

    table = Table("what", "measured", title="OGE-Aug on NCI molecules (untrained, seed 0)")
    table.add_row("spectra", f"{spectra_rate:,.0f} graphs/s")
    table.add_row("encodings (3 layers of 32 -> 28)", f"{encode_rate:,.0f} graphs/s")
    exact = OGEAug(28, hidden_channels=32, num_layers=3).double().eval()
    errors = {"node permutation": permutation_error, "eigenspace basis": basis_error}
    for name, error in (errors | {"eigenvector signs": sign_error}).items():
        worst = max(error(exact, data) for data in graphs[:200])
        table.add_row(f"largest relative change under a new {name}", f"{worst:.1e}")
    console.print(table)

    picture = Path("out") / "demo.png"
    picture.parent.mkdir(exist_ok=True)
    caffeine = molecule(CAFFEINE)
    assert caffeine is not None
    figure = draw_encoding(caffeine, OGEAug(28, delta=0.5), "Caffeine, OGE-Aug (untrained)")
    figure.savefig(picture, dpi=130)
    console.print(f"picture: {picture}")


if __name__ == "__main__":
    main()
