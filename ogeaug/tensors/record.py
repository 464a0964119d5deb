"""Records: the tensors at each node, and the layout of their rows."""

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True, eq=False)
class Tensors:
    """Tensors of order 0, 1 and 2 at each node, channels last, as rows without padding.

    Attributes:
        w0: ``[N, h]`` one row a node.
        w1: ``[N1, h]`` one row for each node i and eigenpair k of its graph.
        w2: ``[N2, h]`` one row for each node i and pair (k, l) in the bands; None at order 1.
    """

    w0: Tensor
    w1: Tensor
    w2: Tensor | None = None


@dataclass(frozen=True, eq=False)
class Messages:
    """Edges between rows: row ``target`` receives row ``source``, times ``weight``.

    Attributes:
        source, target: ``[E]`` rows.
        weight: ``[E, 1]``; None if all are 1.
    """

    source: Tensor
    target: Tensor
    weight: Tensor | None


@dataclass(frozen=True, eq=False)
class Block:
    """The W2 rows of all clusters of c eigenvalues, at all their nodes, as c x c matrices.

    Attributes:
        rows: ``[M, c, c]`` rows of W2; 0 where the pair is outside the bands.
        present: ``[M, c, c, 1]`` 1 where the pair is in the bands, else 0; None if all are.
    """

    rows: Tensor
    present: Tensor | None


@dataclass(frozen=True, eq=False)
class Layout:
    """Where everything is: built once a batch, read by every layer.

    Attributes:
        num_nodes: N, of the whole batch.
        node1: ``[N1]`` the node of each W1 row.
        eig1: ``[N1]`` the eigenpair of each W1 row.
        messages0, messages1, messages2: The edges between rows of W0, W1, W2.
        node2: ``[N2]`` the node of each W2 row.
        left2: ``[N2]`` for row (i, k, l) of W2, the row (i, k) of W1.
        right2: ``[N2]`` likewise the row (i, l).
        rho2: ``[N2, 1]`` the squared smoothing of each W2 row.
        blocks: W2 as matrices, clusters of one size together.
        unblock: ``[N2]`` the place of each W2 row in the concatenated blocks.
    """

    num_nodes: int
    node1: Tensor
    eig1: Tensor
    messages0: Messages
    messages1: Messages
    messages2: Messages | None = None
    node2: Tensor | None = None
    left2: Tensor | None = None
    right2: Tensor | None = None
    rho2: Tensor | None = None
    blocks: tuple[Block, ...] = ()
    unblock: Tensor | None = None
