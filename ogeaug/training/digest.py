"""A checksum of graphs, so that a run that goes on notices when they have changed."""

import hashlib
from typing import Any

import torch
from torch import Tensor

from ogeaug.training.prepare import Parts

DERIVED = "eigvals", "eigvecs", "eigval_cutoff", "spectrum_recipe", "random_walk", "structure"
"""What our transforms compute from the graph: rounding may differ from call to call."""
DERIVED_PREFIXES = "edge_walk_", "edge_hodge"


def digest_parts(parts: Parts) -> str:
    """The SHA-256 of all graphs, in order: every tensor, number and text on them.

    Example:
        >>> from torch_geometric.data import Data
        >>> def digest(*targets):
        ...     one, two = (Data(num_nodes=2, y=torch.tensor([y])) for y in targets)
        ...     return digest_parts(Parts([one], [two]))
        >>> digest(1.0, 2.0) == digest(1.0, 2.0), digest(1.0, 2.0) == digest(2.0, 1.0)
        (True, False)
    """
    digest = hashlib.sha256()
    for part in parts.names:
        graphs = parts.part(part)
        digest.update(f"{part} {len(graphs)}\n".encode())
        for data in graphs:
            digest.update(f"graph {data.num_nodes}\n".encode())
            for name, value in sorted(data.to_dict().items()):
                stem = name.removesuffix("_digest")  # the graph that it was computed from
                if stem not in DERIVED and not stem.startswith(DERIVED_PREFIXES):
                    digest.update(f"{name} ".encode())
                    _add(digest, value)
    return digest.hexdigest()


def _add(digest: Any, value: Any) -> None:
    if isinstance(value, Tensor) and value.layout == torch.strided:
        plain = value.detach().cpu().clone(memory_format=torch.contiguous_format)
        digest.update(f"{plain.dtype} {list(plain.shape)}\n".encode())
        digest.update(plain.flatten().view(torch.uint8).numpy())
    elif isinstance(value, dict):
        digest.update(f"dict {len(value)}\n".encode())
        for key, item in value.items():
            _add(digest, key)
            _add(digest, item)
    elif isinstance(value, list | tuple):
        digest.update(f"list {len(value)}\n".encode())
        for item in value:
            _add(digest, item)
    elif value is None or isinstance(value, bool | int | float | str):
        digest.update(f"{value!r}\n".encode("utf-8", "surrogatepass"))
    else:  # an object of the user's own, which no model sees
        digest.update(f"{type(value).__qualname__}\n".encode())
