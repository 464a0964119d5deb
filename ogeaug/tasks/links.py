"""Ranks of links among all nodes of a graph, as PCQM-Contact is measured."""

import torch
from torch import Tensor

HITS = (1, 3, 10)
"""The k of hits@k."""
METRICS = ("mrr", "mrr_filtered", "mrr_extended", *(f"hits@{k}" for k in HITS))
"""The names of what is measured."""


def link_metrics(scores: Tensor, links: Tensor) -> dict[str, float]:
    r"""Mean reciprocal ranks and hits of the links of one graph.

    For each link (i, j), node j is ranked by :math:`s_{ij}` among rivals :math:`s_{ik}`:

    - ``mrr`` (raw): all nodes but j, i itself and other partners of i included;
    - ``mrr_filtered``: without the other partners k of i, those with a link (i, k);
    - ``mrr_extended``: also without i itself.

    Papers quote the first or the last of these, and they are not comparable. ``hits@k`` is the part
    of links whose raw rank is at most k. A tie counts half a rank. A graph without links counts 0
    in each, as in the benchmark's own code.

    Args:
        scores: Of all pairs of nodes; the benchmark's are dot products.
        links: The true links, as listed: (i, j) ranks j for i, not i for j.

    Shapes:
        - scores ``[n, n]``, links ``[2, P]``

    Example:
        >>> scores = torch.tensor([[9.0, 1.0, 2.0], [0.0, 9.0, 0.0], [0.0, 0.0, 9.0]])
        >>> found = link_metrics(scores, torch.tensor([[0, 0], [1, 2]]))
        >>> {key: round(value, 3) for key, value in found.items()}  # doctest: +NORMALIZE_WHITESPACE
        {'mrr': 0.417, 'mrr_filtered': 0.5, 'mrr_extended': 1.0,
         'hits@1': 0.0, 'hits@3': 1.0, 'hits@10': 1.0}
    """
    _check(scores, links)
    if links.size(1) == 0:
        return dict.fromkeys(METRICS, 0.0)
    source, target = links
    link = torch.arange(links.size(1), device=links.device)
    own = scores[source, target].unsqueeze(1)  # [P, 1]
    rivals = scores[source]  # [P, n]
    allowed = torch.ones_like(rivals, dtype=torch.bool)
    allowed[link, target] = False
    raw = _ranks(own, rivals, allowed)
    partner = torch.zeros_like(scores, dtype=torch.bool)
    partner[source, target] = True
    allowed &= ~partner[source]
    filtered = _ranks(own, rivals, allowed)
    allowed[link, source] = False
    extended = _ranks(own, rivals, allowed)
    means = [ranks.reciprocal().mean() for ranks in (raw, filtered, extended)]
    means += [(raw <= k).double().mean() for k in HITS]
    return {name: float(mean) for name, mean in zip(METRICS, means, strict=True)}


def _ranks(own: Tensor, rivals: Tensor, allowed: Tensor) -> Tensor:
    """1 + how many allowed rivals are above, ties half: ``[P]``."""
    above, level = (rivals > own) & allowed, (rivals == own) & allowed
    return 1 + above.sum(1).double() + 0.5 * level.sum(1)


def _check(scores: Tensor, links: Tensor) -> None:
    if scores.dim() != 2 or scores.size(0) != scores.size(1):
        raise ValueError(f"scores must be [n, n], of all pairs of nodes; got {list(scores.shape)}")
    if links.dim() != 2 or links.size(0) != 2 or links.is_floating_point():
        raise ValueError(f"links must be whole numbers [2, P]; got {list(links.shape)}")
    if links.numel() and not 0 <= int(links.min()) <= int(links.max()) < len(scores):
        raise ValueError(
            f"links name nodes {int(links.min())} to {int(links.max())}, there are {len(scores)}"
        )
    if scores.isnan().any():
        raise ValueError("scores hold NaN, which has no rank")
