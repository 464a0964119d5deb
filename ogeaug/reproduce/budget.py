"""How much is trained: data, epochs and seeds of a budget, from what an epoch takes."""

from dataclasses import dataclass

from ogeaug.errors import UserError

FEWEST_EPOCHS = 10
"""With fewer, epochs are worth more than seeds: after 3 of QM9, in batches of 256, a network has
made 39 steps, and no row says anything."""


@dataclass(frozen=True)
class Budget:
    """How much is trained.

    Attributes:
        name: On the command line.
        minutes: Of one core, for a whole table; None if time is no matter.
        seeds: At most.
        epochs: None: as many as fit, or, if time is no matter, the paper's.
        graphs: At most; a table may say fewer.
    """

    name: str
    minutes: float | None = None
    seeds: int = 1
    epochs: int | None = None
    graphs: int | None = None


BUDGETS = {
    budget.name: budget
    for budget in (
        Budget("smoke", epochs=1, graphs=60),
        Budget("hour", minutes=60, seeds=3),
        Budget("night", minutes=600, seeds=3),
        Budget("paper", seeds=5),
    )
}
"""``smoke`` shows that all runs, ``paper`` is what the authors did."""


def find_budget(name: str) -> Budget:
    """A budget by name.

    Example:
        >>> find_budget("hour").minutes
        60
    """
    if name not in BUDGETS:
        raise UserError(f"there is no budget {name!r}; choose from {', '.join(BUDGETS)}")
    return BUDGETS[name]


def share_out(
    budget: Budget,
    longest: int,
    seconds: float,
    *,
    epochs: int | None = None,
    seeds: int | None = None,
) -> tuple[int, int]:
    """Epochs and seeds that fit: all rows alike, seeds before epochs unless epochs are few.

    Args:
        budget: The budget.
        longest: Epochs of the paper.
        seconds: One epoch of all runs of one seed.
        epochs: If the caller says so; seeds likewise.

    Example:
        >>> share_out(BUDGETS["hour"], 2000, seconds=60.0)
        (20, 3)
        >>> share_out(BUDGETS["hour"], 2000, seconds=1000.0)
        (3, 1)
    """
    most = seeds or budget.seeds
    if epochs is not None:
        return epochs, most
    if budget.epochs is not None:
        return min(budget.epochs, longest), most
    if budget.minutes is None:
        return longest, most
    for count in [seeds] if seeds else range(most, 0, -1):
        fit = int(budget.minutes * 60 / (seconds * count))
        if fit >= min(FEWEST_EPOCHS, longest) or (fit and count in (1, seeds)):
            return min(fit, longest), count
    several, fewer = (f" with {seeds} seeds", " fewer seeds (--seeds),") if seeds else ("", "")
    raise UserError(
        f"budget {budget.name} holds {budget.minutes:g} minutes, and one epoch of all rows"
        f"{several} takes about {seconds * (seeds or 1) / 60:.0f}; take{fewer} fewer rows "
        "(--rows), fewer graphs (--graphs), or a larger budget"
    )
