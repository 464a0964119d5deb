"""Random walks on nodes and edges, and the Hodge 1-Laplacian."""
