"""The views of the page: each has its part of the layout and its callbacks."""
