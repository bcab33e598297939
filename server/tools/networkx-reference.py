"""What networkx (Debian's python3-networkx) answers for the graph of compare-algorithms.ts.

Reads {"vertices": n, "ties": [[a, b, weight]…], "parts": [[a, b]…], "links": [[a, b]…]} and writes one
JSON object, an entry per algorithm. Vertices are numbers from 0 to n - 1.
"""

import json
import math
import sys

import networkx as nx

given = json.load(sys.stdin)
count = given["vertices"]
tie = nx.Graph()
tie.add_nodes_from(range(count))
tie.add_weighted_edges_from(given["ties"])
part = nx.Graph()
part.add_nodes_from(range(count))
part.add_edges_from(given["parts"])
link = nx.DiGraph()
link.add_nodes_from(range(count))
link.add_edges_from(given["links"])


def by_vertex(values):
    return [values[v] for v in range(count)]


def smallest_members(components):
    labels = {}
    for members in components:
        least = min(members)
        for v in members:
            labels[v] = least
    return by_vertex(labels)


def jaccard(source):
    mine = set(tie[source])
    found = {}
    for other in range(count):
        shared = len(mine & set(tie[other]))
        if other != source and shared > 0:
            found[other] = shared / len(mine | set(tie[other]))
    return found


def cosine(source):
    def weights(v):
        return {u: data["weight"] for u, data in tie[v].items()}

    mine = weights(source)
    found = {}
    for other in range(count):
        theirs = weights(other)
        shared = mine.keys() & theirs.keys()
        if other == source or not shared:
            continue
        dot = sum(mine[u] * theirs[u] for u in shared)
        norms = sum(w * w for w in mine.values()) * sum(w * w for w in theirs.values())
        found[other] = dot / math.sqrt(norms)
    return found


core = nx.core_number(tie)
louvain = nx.community.louvain_communities(tie, seed=1)
json.dump(
    {
        "pagerank": [count * rank for rank in by_vertex(nx.pagerank(tie, weight=None, tol=1e-10))],
        "pagerankDirected": [
            count * rank for rank in by_vertex(nx.pagerank(link, weight=None, tol=1e-10))
        ],
        "components": smallest_members(nx.connected_components(part)),
        "strong": smallest_members(nx.strongly_connected_components(link)),
        "triangles": sum(nx.triangles(tie).values()) // 3,
        "core": by_vertex(core),
        "clustering": by_vertex(nx.clustering(tie)),
        "closeness": by_vertex(nx.closeness_centrality(tie)),
        "harmonic": by_vertex(nx.harmonic_centrality(tie)),
        "betweenness": by_vertex(nx.betweenness_centrality(tie, normalized=False)),
        "hops": by_vertex(nx.single_source_shortest_path_length(tie, 0)),
        "distances": by_vertex(nx.single_source_dijkstra_path_length(tie, 0)),
        "jaccard": jaccard(0),
        "cosine": cosine(0),
        "modularity": nx.community.modularity(tie, louvain, weight="weight"),
    },
    sys.stdout,
)
