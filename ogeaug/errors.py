"""The errors of everything that the user can put right."""


class UserError(ValueError):
    """Bad input: the message says what was received, what was expected, and the likely fix.

    The command line prints the message without a traceback.
    """


class TrainingStopped(UserError):
    """Training cannot go on; the last checkpoint is still there."""


class CannotWrite(OSError, UserError):
    """A file cannot be written: a full disk, a folder without permission."""
