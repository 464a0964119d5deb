"""A test part for data that have none."""

import torch

from ogeaug.errors import UserError
from ogeaug.training.prepare import Parts


def hold_out(parts: Parts, fraction: float, seed: int) -> Parts:
    """The validation part becomes the test part; some of the training part takes its place.

    So the part that chooses an epoch is not the part whose figure is reported.

    Args:
        parts: Without a test part.
        fraction: Of the training part.
        seed: Of the choice.
    """
    if parts.test:
        raise UserError(
            f"the data have a test part of {len(parts.test):,} graphs; leave --hold-out out"
        )
    count = len(parts.train)
    taken = round(fraction * count)
    if not 0 < taken < count:
        raise UserError(
            f"--hold-out {fraction:g} of {count:,} training graphs leaves a part empty; choose "
            "another fraction"
        )
    order = torch.randperm(count, generator=torch.Generator().manual_seed(seed)).tolist()
    train, val = sorted(order[taken:]), sorted(order[:taken])
    return Parts([parts.train[i] for i in train], [parts.train[i] for i in val], parts.val)
