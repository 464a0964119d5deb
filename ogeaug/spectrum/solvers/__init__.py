"""Eigensolvers behind :mod:`ogeaug.spectrum.solve`."""
