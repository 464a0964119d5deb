"""From edge_index to a batch ready for the encoder, against bare ``eigh`` and PyG's own transform.

python -m benchmarks.preparation [--zinc] [--rounds 31]
"""

import argparse
from collections.abc import Callable

import numpy as np
import torch
from torch_geometric.data import Batch, Data
from torch_geometric.transforms import AddLaplacianEigenvectorPE

from benchmarks.history import record
from benchmarks.molecules import molecules
from benchmarks.timing import interleaved
from ogeaug import AddSpectrum, OGEAug
from ogeaug.graph.batch import graph_sizes
from ogeaug.graph.edges import adjacency
from ogeaug.graph.laplacian import laplacian
from ogeaug.native.build import load_core
from ogeaug.spectrum.solve import Disturbance, compute_spectra
from ogeaug.tensors.compiled.path import lay_out_batch
from ogeaug.tensors.network import Graphs


def make_tasks(graphs: list[Data]) -> dict[str, Callable[[], object]]:
    """Each task prepares all graphs, with noise and permutation on."""
    matrices = [laplacian(adjacency(d.edge_index.numpy(), d.num_nodes)) for d in graphs]
    add, disturbance = AddSpectrum(noise=1e-5, permute=True), Disturbance(1e-5, True)
    pe = AddLaplacianEigenvectorPE(k=8, is_undirected=True)
    batch, model = Batch.from_data_list(graphs), OGEAug(28).train()
    stored = Batch.from_data_list([add(data) for data in graphs])

    def whole_batch() -> object:
        spectra = compute_spectra(batch.edge_index, graph_sizes(batch), disturbance=disturbance)
        return lay_out_batch(model, Graphs(spectra, batch.edge_index, None))

    def graph_by_graph() -> object:
        return Batch.from_data_list([add(data) for data in graphs])

    def plan_only() -> object:
        return lay_out_batch(model, Graphs(model.read_spectra(stored), stored.edge_index, None))

    return {
        "bare eigh": lambda: [np.linalg.eigh(matrix) for matrix in matrices],
        "batch: spectra and plan": whole_batch,
        "loader: AddSpectrum and collation": graph_by_graph,
        "loader: collation without spectra": lambda: Batch.from_data_list(graphs),
        "encoder: plan of stored spectra": plan_only,
        "PyG AddLaplacianEigenvectorPE": lambda: [pe(data) for data in graphs],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zinc", action="store_true", help="molecules of ZINC, not NCI")
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--batch", type=int, default=32)
    args = parser.parse_args()
    torch.set_num_threads(1)
    load_core()
    graphs = [
        Data(edge_index=data.edge_index, num_nodes=data.num_nodes)
        for data in molecules(args.batch, zinc=args.zinc)
    ]
    found = interleaved(make_tasks(graphs), args.rounds)
    for name, seconds in found.items():
        ratio, micro = seconds / found["bare eigh"], seconds / args.batch * 1e6
        print(f"{name:36s} {micro:8.1f} us per graph, {ratio:6.2f} x bare eigh")
        record("preparation", name, micro, "us a graph")
        record("preparation", name, ratio, "x bare eigh")


if __name__ == "__main__":
    main()
