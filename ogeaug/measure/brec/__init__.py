"""The benchmark BREC: 400 pairs of graphs, by our criterion or by its own protocol."""
