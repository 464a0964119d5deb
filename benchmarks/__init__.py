"""Measurements; every figure in the documentation comes from a script in this folder."""
