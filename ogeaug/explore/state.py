"""What the page shows, as a record: the link of a view holds it, and every request is checked."""

from typing import Annotated, Any, Literal
from urllib.parse import parse_qsl

from pydantic import Field, ValidationError

from ogeaug.errors import UserError
from ogeaug.explore.limits import MOST_LETTERS
from ogeaug.strict import Strict, explain

Kind = Literal["smiles", "edges", "graph6", "gallery"]
View = Literal["look", "shake", "compare", "model"]
Text = Annotated[str, Field(max_length=MOST_LETTERS)]
Draw = Annotated[int, Field(ge=0, le=9_999)]


class Shown(Strict):
    """A view of the page, whole: the same record shows the same numbers.

    Attributes:
        view: Which of the views.
        kind, text: The graph, and how it is written.
        kind2, text2: The graph that it is compared with.
        delta, k, order, layers, seed: Of the OGE-Aug; k is 0 for all eigenpairs.
        colour: What the nodes are coloured by.
        cluster, channel: Which of them.
        node: The chosen node, if any.
        noise: Exponent of ten of the change of the Laplacian; -9 for none.
        target: Which prediction the shares of the atoms are of.
        basis, renumber: Draws of another basis and other numbers; 0 for none.
    """

    view: View = "look"
    kind: Kind = "smiles"
    text: Text = "CN1C=NC2=C1C(=O)N(C(=O)N2C)C"
    kind2: Kind = "gallery"
    text2: Text = "Shrikhande"
    delta: Annotated[float, Field(ge=-4, le=2)] = -1.3
    k: Annotated[int, Field(ge=0, le=150)] = 0
    order: Annotated[int, Field(ge=1, le=3)] = 2
    layers: Annotated[int, Field(ge=1, le=8)] = 4
    seed: Draw = 0
    colour: Literal["cluster", "channel"] = "cluster"
    cluster: Annotated[int, Field(ge=0, le=150)] = 1
    channel: Annotated[int, Field(ge=0, le=15)] = 0
    node: Annotated[int, Field(ge=0, le=150)] | None = None
    noise: Annotated[float, Field(ge=-9, le=0)] = -4.0
    target: Annotated[int, Field(ge=0, le=999)] = 0
    basis: Draw = 0
    renumber: Draw = 0

    @property
    def window(self) -> float:
        """delta itself; its slider, like that of the noise, has powers of ten."""
        return float(f"{10**self.delta:.3g}")

    @property
    def noise_size(self) -> float:
        """The size of the noise; 0 at the lower end of its slider."""
        return 0.0 if self.noise <= -9 else 10**self.noise


NAMES = tuple(Shown.model_fields)
"""Of the controls on the page, and of the parameters of a link."""


def read_state(values: dict[str, Any] | None) -> Shown:
    """Checks what a browser sent.

    Example:
        >>> read_state({"order": 3}).order
        3
    """
    try:
        return Shown.model_validate(values or {})
    except ValidationError as error:
        raise UserError(f"the page cannot show that: {explain(error)}") from error


def read_query(query: str) -> Shown:
    """The state of a link; parameters that are not ours, like a token, do not count.

    Example:
        >>> read_query("?view=shake&text=CCO").text
        'CCO'
    """
    if len(query) > 8 * MOST_LETTERS:
        raise UserError(f"the link has {len(query):,} characters; it is no link of this page")
    pairs = dict(parse_qsl(query.removeprefix("?"), keep_blank_values=True))
    return read_state({name: value for name, value in pairs.items() if name in NAMES})
