"""``cluster``: find the community of each node."""

from ogeaug.data.sets.files import Layout
from ogeaug.data.sets.graph_set import Draw, DrawnSet


class Cluster(DrawnSet):
    """CLUSTER, from its file; else see :func:`ogeaug.data.sbm.generate_cluster`."""

    name = "cluster"
    node_sizes = (7,)
    num_classes = 6
    ratio = 10
    layouts = (Layout(("CLUSTER_v2.pt",), ("raw", "CLUSTER/raw", "CLUSTER")),)

    def drawing(self, seed: int) -> Draw:
        from ogeaug.data.sbm import generate_cluster

        return generate_cluster
