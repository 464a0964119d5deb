"""Large sparse graphs: :class:`~ogeaug.spectrum.solvers.sparse.solver.Sparse`."""
