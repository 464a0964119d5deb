"""Records: the tensors at each node, and the layout of their rows."""

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True, eq=False)
class Tensors:
    """Tensors of order 0, 1 and 2 at each node, channels last, as rows without padding.

    Attributes:
        w0: ``[N, h]`` one row per node.
        w1: ``[N1, h]`` one row for each node i and eigenpair k of its graph.
        w2: ``[N2, h]`` one row for each node i and pair (k, l) in the bands; None at order 1.
    """

    w0: Tensor
    w1: Tensor
    w2: Tensor | None = None


@dataclass(frozen=True, eq=False)
class Large:
    """A graph whose rows would need too many messages: its nodes exchange them all at once.

    Attributes:
        rows: Its rows, those of each node together.
        adjacency: ``[n, n]`` sparse.
    """

    rows: slice
    adjacency: Tensor


@dataclass(frozen=True, eq=False)
class Messages:
    """Edges between rows: row ``target`` receives row ``source``, times ``weight``.

    Attributes:
        source, target: ``[E]`` rows.
        weight: ``[E, 1]``.
        large: The graphs that are not among these edges.
    """

    source: Tensor
    target: Tensor
    weight: Tensor
    large: tuple[Large, ...] = ()


@dataclass(frozen=True, eq=False)
class RowMatrices:
    """The W2 rows of all clusters of c eigenvalues, at all their nodes, as c x c matrices.

    Attributes:
        rows: ``[M, c, c]`` rows of W2; 0 where the pair is outside the bands.
        present: ``[M, c, c, 1]`` 1 where the pair is in the bands, else 0; None if all are.
    """

    rows: Tensor
    present: Tensor | None


@dataclass(frozen=True, eq=False)
class PairLayout:
    """The rows (i, k, l) of W2.

    Attributes:
        node: ``[N2]`` the node i of each row.
        left: ``[N2]`` the row (i, k) of W1.
        right: ``[N2]`` the row (i, l) of W1.
        rho2: ``[N2, 1]`` the squared smoothing.
        messages: The edges between rows.
        blocks: The rows as matrices, clusters of one size together.
        unblock: ``[N2]`` the place of each row in the concatenated blocks.
    """

    node: Tensor
    left: Tensor
    right: Tensor
    rho2: Tensor
    messages: Messages
    blocks: tuple[RowMatrices, ...]
    unblock: Tensor


@dataclass(frozen=True, eq=False)
class Layout:
    """Where everything is: built once per batch, read by every layer.

    Attributes:
        num_nodes: N, of the whole batch.
        node: ``[N1]`` the node of each W1 row.
        eig: ``[N1]`` the eigenpair of each W1 row.
        edges: The edges between nodes, that is, rows of W0.
        messages: The edges between rows of W1.
        pairs: The rows of W2; None at order 1.
    """

    num_nodes: int
    node: Tensor
    eig: Tensor
    edges: Messages
    messages: Messages
    pairs: PairLayout | None = None
