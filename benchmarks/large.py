"""A few eigenpairs of large graphs, against bare ARPACK (no components, no proof) and dense eigh.

python -m benchmarks.large [--nodes 2000 20000 100000] [--k 64] [--rounds 3]
python -m benchmarks.large --encoder --nodes 100000 --k 16    # OGE-Aug on a grid, once
"""

import argparse
import resource
import time
import warnings
from collections.abc import Callable

import networkx as nx
import numpy as np
import torch
from scipy.sparse import csc_array, eye_array
from scipy.sparse.linalg import LinearOperator, eigsh, splu
from scipy.spatial import cKDTree

from benchmarks.timing import interleaved
from ogeaug import AddSpectrum, OGEAug, compute_spectrum
from ogeaug.data import edges_to_data
from ogeaug.graph.sparse import sparse_adjacency, sparse_laplacian

DENSE = 2_500
"""Nodes up to which the whole spectrum is timed, too."""


def grid(nodes: int) -> np.ndarray:
    side = round(nodes**0.5)
    at = np.arange(side * side).reshape(side, side)
    pairs = [at[:-1].ravel(), at[1:].ravel()], [at[:, :-1].ravel(), at[:, 1:].ravel()]
    return np.concatenate(pairs, axis=1)


def tree(nodes: int) -> np.ndarray:
    """Each node hangs on one of those before it."""
    child = np.arange(1, nodes)
    return np.stack([(np.random.default_rng(0).random(nodes - 1) * child).astype(int), child])


def near(nodes: int) -> np.ndarray:
    """Points in a square, joined if near: many components."""
    points = np.random.default_rng(0).random((nodes, 2))
    return cKDTree(points).query_pairs(1.4 / nodes**0.5, output_type="ndarray").T


def regular(nodes: int) -> np.ndarray:
    """Three random neighbours each: factors fill up, and above some 25,000 nodes are not tried."""
    return np.array(nx.random_regular_graph(3, nodes, seed=0).edges).T


FAMILIES: dict[str, Callable[[int], np.ndarray]] = {
    "grid": grid,
    "tree": tree,
    "near": near,
    "regular": regular,
}


def bare(edges: np.ndarray, nodes: int, k: int) -> Callable[[], object]:
    """ARPACK with factors of L + 1e-6, as one would write it."""
    matrix = sparse_laplacian(sparse_adjacency(edges, nodes))

    def run() -> object:
        factors = splu(csc_array(matrix + 1e-6 * eye_array(nodes)), permc_spec="MMD_AT_PLUS_A")
        divide = LinearOperator(matrix.shape, factors.solve, dtype=np.float64)
        return eigsh(matrix, k + 1, sigma=-1e-6, OPinv=divide)

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, nargs="+", default=[2_000, 20_000])
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--k", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--encoder", action="store_true", help="OGE-Aug on grids instead")
    args = parser.parse_args()
    warnings.filterwarnings("ignore", message=".*(keeps only|take about|not proven)")
    if args.encoder:
        for nodes in args.nodes:
            time_encoder(nodes, args.k)
        return
    print("| graph | nodes | eigenpairs | proven | s | of bare ARPACK | of dense eigh |")
    print("|---|---|---|---|---|---|---|")
    for nodes in args.nodes:
        for name in args.families:
            print(row(name, nodes, args.k, args.rounds), flush=True)


def time_encoder(nodes: int, k: int) -> None:
    """Processor time of spectrum, forward and backward pass of a small OGE-Aug on a grid."""
    data = edges_to_data(grid(nodes).T, num_nodes=round(nodes**0.5) ** 2)
    start = time.process_time()
    data = AddSpectrum(k=k)(data)
    seconds = {"spectrum": time.process_time() - start}
    encode = OGEAug(16, hidden_channels=16, num_layers=2, delta=float(data.eigval_cutoff) / 4)
    start = time.process_time()
    total = encode(data).sum()
    seconds["forward"] = time.process_time() - start
    start = time.process_time()
    total.backward()
    seconds["backward"] = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    told = ", ".join(f"{what} {took:.1f} s" for what, took in seconds.items())
    print(f"grid of {data.num_nodes:,} nodes, k={k}: {told}, {peak:.1f} GiB at the peak")


def row(name: str, nodes: int, k: int, rounds: int) -> str:
    """One graph, as a line of the table."""
    edges = np.ascontiguousarray(FAMILIES[name](nodes))
    nodes = int(edges.max()) + 1
    index = torch.from_numpy(edges)
    found = compute_spectrum(index, nodes, k=k)
    tasks: dict[str, Callable[[], object]] = {
        "ours": lambda: compute_spectrum(index, nodes, k=k),
    }
    if found.certified:
        tasks["bare"] = bare(edges, nodes, k)
    if nodes <= DENSE:
        matrix = sparse_laplacian(sparse_adjacency(edges, nodes)).toarray()
        tasks["dense"] = lambda: np.linalg.eigh(matrix)
    times = interleaved(tasks, rounds)
    ratios = [
        f"{times['ours'] / times[key]:.2f}" if key in times else "" for key in ("bare", "dense")
    ]
    proven = "yes" if found.certified else "no"
    cells = [name, f"{nodes:,}", str(found.num_eigvals), proven, f"{times['ours']:.2g}", *ratios]
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    main()
