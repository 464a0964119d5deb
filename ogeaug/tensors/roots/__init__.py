"""Networks at each root: tensors of order 1, seen at the nodes of the graph."""
