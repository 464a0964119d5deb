"""Molecules and graphs -> PyG data; transforms; data sets."""
