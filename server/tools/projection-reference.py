"""What networkx answers for a simple undirected graph (compare-projections.ts).

Reads {"vertices": n, "edges": [[a, b, weight]…]} and writes one JSON object: a list per algorithm, by vertex.
"""

import json
import sys

import networkx as nx

from algorithms_as_written import (
    betweenness_as_written,
    core_as_written,
    cosine_as_written,
    label_propagation_as_written,
    louvain_as_written,
)

given = json.load(sys.stdin)
count = given["vertices"]
graph = nx.Graph()
graph.add_nodes_from(range(count))
graph.add_weighted_edges_from(given["edges"])
source = max(graph, key=lambda v: (graph.degree(v), -v))


def by_vertex(values, missing=-1):
    return [values.get(v, missing) for v in range(count)]


def least_members(communities):
    labels = {}
    for members in communities:
        labels.update(dict.fromkeys(members, min(members)))
    return by_vertex(labels)


def jaccard():
    mine = set(graph[source])
    found = {}
    for other in graph:
        shared = len(mine & set(graph[other]))
        if other != source and shared > 0:
            found[other] = shared / len(mine | set(graph[other]))
    return by_vertex(found, 0)


ranks = nx.pagerank(graph, weight=None, tol=1e-12, max_iter=1000)
json.dump(
    {
        "source": source,
        "pagerank": [count * rank for rank in by_vertex(ranks)],
        "components": least_members(nx.connected_components(graph)),
        "hops": by_vertex(nx.single_source_shortest_path_length(graph, source)),
        "distances": by_vertex(nx.single_source_dijkstra_path_length(graph, source)),
        "closeness": by_vertex(nx.closeness_centrality(graph)),
        "harmonic": by_vertex(nx.harmonic_centrality(graph)),
        "betweenness": betweenness_as_written(graph),
        "labels": label_propagation_as_written(graph, 30),
        "louvain": louvain_as_written(graph),
        "triangles": [sum(nx.triangles(graph).values()) // 3],
        "cores": core_as_written(graph),
        "clustering": by_vertex(nx.clustering(graph)),
        "jaccard": jaccard(),
        "cosine": by_vertex(cosine_as_written(graph, source), 0),
    },
    sys.stdout,
)
