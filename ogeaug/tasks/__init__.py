"""What can be predicted: one file per task."""

from ogeaug.tasks.links import link_metrics

__all__ = ["link_metrics"]
