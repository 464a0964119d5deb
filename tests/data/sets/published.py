"""Tiny files in the formats in which benchmarks publish theirs."""

import gzip
import json
import pickle

import torch
from rdkit import Chem
from rdkit.Chem import AllChem

from ogeaug.data.features import zinc_features
from ogeaug.data.molecule import smiles_to_data
from ogeaug.data.sets.qm9 import ATOMISED, COLUMNS

SMILES = ["CCO", "c1ccccc1", "C[NH3+]", "CC(=O)[O-]", "C#N", "CCCCBr", "O=C(N)c1ccco1"]


def zinc_molecule(smiles, y):
    """A molecule as benchmarking-gnns has it."""
    mol = Chem.MolFromSmiles(smiles)
    found = zinc_features(mol)
    n = mol.GetNumAtoms()
    bonds = torch.zeros(n, n, dtype=torch.int32)
    for bond, (kind,) in zip(mol.GetBonds(), found.bonds, strict=True):
        i, j = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        bonds[i, j] = bonds[j, i] = kind
    return {
        "num_atom": n,
        "atom_type": torch.tensor([kind for (kind,) in found.atoms], dtype=torch.int32),
        "bond_type": bonds,
        "logP_SA_cycle_normalized": torch.tensor([y]),
    }


def write_zinc(folder, counts=(7, 4, 3), index=None):
    """ZINC's pickles and index lists; ``index`` by part, all of a part if absent."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, count in zip(("train", "val", "test"), counts, strict=True):
        molecules = [zinc_molecule(SMILES[i % 7], i + len(part) / 10) for i in range(count)]
        (folder / f"{part}.pickle").write_bytes(pickle.dumps(molecules, protocol=2))
        chosen = (index or {}).get(part, range(count))
        (folder / f"{part}.index").write_text(",".join(map(str, chosen)) + "\n")
    return folder


QM9_HEADER = ["mol_id", "A", "B", "C", *list(COLUMNS.values())[1:], *ATOMISED]


def write_qm9(folder, smiles=SMILES, left_out=(2,), broken=()):
    """QM9's three files; numbers of ``left_out`` are entries from 1, ``broken`` those from 0."""
    folder.mkdir(parents=True, exist_ok=True)
    blocks = []
    for i, text in enumerate(smiles):
        mol = Chem.AddHs(Chem.MolFromSmiles(text))
        AllChem.EmbedMolecule(mol, randomSeed=0)
        mol.SetProp("_Name", f"gdb_{i + 1}")
        block = Chem.MolToMolBlock(mol)
        blocks.append(
            (block if i not in broken else f"gdb_{i + 1}\n\n\n  9  9 no molfile\n") + "$$$$\n"
        )
    (folder / "gdb9.sdf").write_text("".join(blocks))
    rows = [
        [f"gdb_{i + 1}", *map(str, [1.0, 2.0, 3.0, *(i + k / 100 for k in range(16))])]
        for i in range(len(smiles))
    ]
    lines = [QM9_HEADER, *rows]
    (folder / "gdb9.sdf.csv").write_text("".join(",".join(line) + "\n" for line in lines))
    listed = [f"{number} {smiles[number - 1]} x y" for number in left_out]
    text = ["head"] * 9 + listed + [f"{len(listed)} compounds", ""]
    (folder / "uncharacterized.txt").write_text("\n".join(text))
    return folder


def write_gz(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()))


def write_molhiv(folder, smiles=SMILES, active=(0, 1, 0, 1, 0, 1, 0), lists=None):
    """ogbg-molhiv's folder: molecules, lists, graphs."""
    lists = lists or {"train": [0, 1, 4], "valid": [6, 3], "test": [5, 2]}
    rows = [f"{y},{text},CHEMBL{i}" for i, (text, y) in enumerate(zip(smiles, active, strict=True))]
    write_gz(folder / "mapping/mol.csv.gz", "\n".join(["HIV_active,smiles,mol_id", *rows]) + "\n")
    for part, entries in lists.items():
        write_gz(folder / f"split/scaffold/{part}.csv.gz", "".join(f"{i}\n" for i in entries))
    graphs = [smiles_to_data(text, features="ogb") for text in smiles]
    tables = {
        "num-node-list": [[data.num_nodes] for data in graphs],
        "num-edge-list": [[data.num_edges // 2] for data in graphs],
        "edge": [pair for data in graphs for pair in data.edge_index.T[::2].tolist()],
        "node-feat": [row for data in graphs for row in data.x.tolist()],
        "edge-feat": [row for data in graphs for row in data.edge_attr[::2].tolist()],
        "graph-label": [[y] for y in active],
    }
    for name, table in tables.items():
        text = "".join(",".join(map(str, row)) + "\n" for row in table)
        write_gz(folder / f"raw/{name}.csv.gz", text)
    return folder


DRUGOOD = {"train": 6, "iid_val": 3, "iid_test": 2, "ood_val": 4, "ood_test": 3}


def write_drugood(folder, domain="assay", counts=DRUGOOD):
    """A domain of DrugOOD; labels alternate, molecules of a part are chains of one length."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = {
        name: [
            {
                "smiles": "C" * (2 + place) + "NOFS"[i % 4],
                **{"reg_label": 6.5, "assay_id": 7, "cls_label": i % 2, "domain_id": place},
            }
            for i in range(count)
        ]
        for place, (name, count) in enumerate(counts.items())
    }
    content = {"cfg": {"noise_level": "core"}, "split": parts}
    (folder / f"lbap_core_ic50_{domain}.json").write_text(json.dumps(content))
    return folder


def write_sbm(folder, name, counts=(4, 2, 2), num_types=3, num_classes=2):
    """PATTERN or CLUSTER as PyG's GNNBenchmarkDataset has it: node types are one-hot."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = torch.Generator().manual_seed(0)
    parts = []
    for count in counts:
        graphs = []
        for i in range(count):
            n = 5 + i
            edges = torch.tensor([[k, k + 1] for k in range(n - 1)]).T
            types = torch.randint(0, num_types, (n,), generator=rng)
            graphs.append(
                {
                    "x": torch.nn.functional.one_hot(types, num_types).float(),
                    "edge_index": torch.cat([edges, edges.flip(0)], 1),
                    "y": torch.randint(0, num_classes, (n,), generator=rng),
                }
            )
        parts.append(graphs)
    torch.save(parts, folder / f"{name}_v2.pt")
    return folder


def contact_graph(smiles="CCCCCCO"):
    """A graph of PCQM-Contact: a tuple of tensors."""
    data = smiles_to_data(smiles, features="ogb")
    pairs = torch.tensor([[0, 5, 0, 0, 5], [5, 0, 1, 3, 2]])
    label = torch.tensor([1, 1, 0, 0, 0], dtype=torch.int32)
    return data.x, data.edge_attr, data.edge_index, pairs, label


def write_contact(folder, counts=(3, 2, 2)):
    """PCQM-Contact as PyG's LRGBDataset has it."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, count in zip(("train", "val", "test"), counts, strict=True):
        torch.save([contact_graph("C" * (6 + i)) for i in range(count)], folder / f"{part}.pt")
    return folder


def write_alchemy(folder, count=8, lists=None):
    """Alchemy's text files (paths of growing length) and the lists of its parts."""
    folder.mkdir(parents=True, exist_ok=True)
    edges, owner, types, bonds, targets = [], [], [], [], []
    node = 1
    for graph in range(count):
        n = 3 + graph
        for i in range(n):
            owner.append(graph + 1)
            types.append((graph + i) % 6)
            if i:
                edges += [(node + i - 1, node + i), (node + i, node + i - 1)]
                bonds += [(graph + i) % 4] * 2
        targets.append([graph + k / 16 for k in range(12)])
        node += n
    tables = {
        "A": [", ".join(map(str, edge)) for edge in edges],
        "graph_indicator": owner,
        "node_labels": types,
        "edge_labels": bonds,
        "graph_attributes": [", ".join(map(str, row)) for row in targets],
    }
    for name, rows in tables.items():
        text = "".join(f"{row}\n" for row in rows)
        (folder / f"alchemy_full_{name}.txt").write_text(text)
    for part, entries in (lists or {"train": [7, 0, 3], "val": [2, 1], "test": [5]}).items():
        (folder / f"{part}_al_10.index").write_text(",".join(map(str, entries)))
    return folder
