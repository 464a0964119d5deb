"""Edges by one set of rules (``edges.py``): adjacency, Laplacians, neighbours."""
