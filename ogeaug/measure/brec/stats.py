"""What files of BREC hold, counted part by part. Loads no torch."""

from statistics import fmean

from ogeaug.measure.brec.files import Sample
from ogeaug.measure.brec.parts import PARTS

HEAD = ["", "pairs", "of", "nodes", "edges"]


def count_pairs(samples: list[Sample]) -> list[list[str]]:
    """A table: of each part the pairs, how many BREC has, mean nodes and edges of their graphs.

    Example:
        >>> hexagon, triangles = "EhEG", "Ew?w"
        >>> count_pairs([Sample("basic 0", "Basic", (hexagon, triangles))])[1]
        ['Basic', '1', '60', '6.00', '6.00']
    """
    published = dict(PARTS)
    lines = [HEAD]
    for part in dict.fromkeys(sample.part for sample in samples):
        pairs = [sample.graphs() for sample in samples if sample.part == part]
        graphs = [graph for pair in pairs for graph in pair]
        nodes = fmean(graph.number_of_nodes() for graph in graphs)
        edges = fmean(graph.number_of_edges() for graph in graphs)
        number = str(published.get(part, ""))
        lines.append([part, str(len(pairs)), number, f"{nodes:.2f}", f"{edges:.2f}"])
    return lines
