"""The error of everything that the user can put right."""


class UserError(ValueError):
    """Bad input: the message says what was received, what was expected, and the likely fix.

    The command line prints the message without a traceback.
    """
