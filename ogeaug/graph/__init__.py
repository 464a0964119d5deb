"""Edges by one set of rules: adjacency, Laplacians, neighbours."""
