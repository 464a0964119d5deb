"""``cluster``: find the community of each node."""

from ogeaug.data.sets.base import Draw, GeneratedSet


class Cluster(GeneratedSet):
    """CLUSTER; see :func:`ogeaug.data.sbm.generate_cluster`."""

    name = "cluster"
    node_sizes = (7,)
    num_classes = 6
    ratio = 10

    def drawing(self, seed: int) -> Draw:
        from ogeaug.data.sbm import generate_cluster

        return generate_cluster
