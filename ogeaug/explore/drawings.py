"""Small drawings of molecules, each at an address of its own."""

from urllib.parse import quote

from flask import Response, request

from ogeaug.errors import UserError
from ogeaug.explore.workers import Workers


def drawing_address(smiles: str) -> str:
    """Where the picture of a molecule is.

    Example:
        >>> drawing_address("C#N")
        'drawing.svg?smiles=C%23N'
    """
    return f"drawing.svg?smiles={quote(smiles, safe='')}"


def answer_drawing(workers: Workers) -> Response:
    """The picture of a molecule; nothing in it can run."""
    try:
        svg = workers.call("drawing", smiles=request.args.get("smiles", ""))
    except UserError as error:
        return Response(str(error), 404, mimetype="text/plain")
    answer = Response(svg, mimetype="image/svg+xml")
    answer.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    answer.headers["Cache-Control"] = "private, max-age=3600"
    return answer
