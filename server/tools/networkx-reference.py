"""What networkx (Debian's python3-networkx) answers for the graph of compare-algorithms.ts.

Reads {"vertices": n, "ties": [[a, b, weight, cost]…], "parts": [[a, b]…], "links": [[a, b, capacity]…],
"clubs": [[a, b, weight]…], "cliques": [[a, b, weight]…], "likes": [[vertex, tag, weight]…]} and writes one JSON object, an entry per algorithm.
Vertices are numbers from 0 to n - 1.
"""

import json
import math
import sys

import networkx as nx

from algorithms_as_written import (
    betweenness_as_written,
    label_propagation_as_written,
    louvain_as_written,
)

given = json.load(sys.stdin)
count = given["vertices"]


def graph_of(edges, names, kind=nx.Graph):
    graph = kind()
    graph.add_nodes_from(range(count))
    for a, b, *numbers in edges:
        graph.add_edge(a, b, **dict(zip(names, numbers)))
    return graph


tie = graph_of(given["ties"], ["weight", "cost"])
part = graph_of(given["parts"], [])
link = graph_of(given["links"], ["capacity"], nx.DiGraph)
club = graph_of(given["clubs"], ["weight"])
clique = graph_of(given["cliques"], ["weight"])
like = graph_of([(v, count + tag, w) for v, tag, w in given["likes"]], ["weight"])


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


def cosine(graph, source):
    def weights(v):
        return {u: data["weight"] for u, data in graph[v].items()}

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


def sizes(components):
    return sorted((len(members) for members in components), reverse=True)


def rank_as_written(graph):
    """PageRank times n, but a vertex without an edge out matches no row of the SELECT: it keeps its 1,
    where networkx spreads its rank over all. The library's recorded results (Tree_Directed) have the 1 too.
    """
    rank = [1.0] * count
    for _ in range(200):
        received = [0.0] * count
        for a, b in graph.edges:
            received[b] += rank[a] / graph.out_degree(a)
        rank = [0.15 + 0.85 * received[v] if graph.out_degree(v) else 1.0 for v in range(count)]
    return rank


def cycles_up_to(length):
    """Simple cycles of at least two vertices, each from its least vertex."""
    found = []

    def walk(path):
        for u in link[path[-1]]:
            if u == path[0] and len(path) > 1:
                found.append(list(path))
            elif u > path[0] and u not in path and len(path) < length:
                walk([*path, u])

    for v in range(count):
        walk([v])
    return found


def likers():
    """Ordered pairs of vertices that like the same tag."""
    tags = [v for v in like if v >= count]
    return sorted({(a, b) for tag in tags for a in like[tag] for b in like[tag] if a != b})


personal = {v: 1 if v in (0, 7) else 0 for v in range(count)}
chosen = [(0, other) for other in sorted({b for a in tie[0] for b in tie[a]} - {0})[:12]]
chosen += [(v, v + 2) for v in range(40, 52)]


def predictions(method):
    return [value for _, _, value in method(tie, chosen)]


tree = nx.minimum_spanning_edges(tie, weight="cost", data=False)
json.dump(
    {
        "pagerank": [count * rank for rank in by_vertex(nx.pagerank(tie, weight=None, tol=1e-10))],
        "pagerankAsWritten": rank_as_written(link),
        "pagerankWeighted": [count * rank for rank in by_vertex(nx.pagerank(tie, tol=1e-10))],
        "pagerankPersonal": [
            2 * rank
            for rank in by_vertex(
                nx.pagerank(tie, weight=None, personalization=personal, tol=1e-10)
            )
        ],
        "components": smallest_members(nx.connected_components(part)),
        "componentSizes": sizes(nx.connected_components(part)),
        "strong": smallest_members(nx.strongly_connected_components(link)),
        "strongSizes": sizes(nx.strongly_connected_components(link)),
        "triangles": sum(nx.triangles(tie).values()) // 3,
        "cliqueCores": by_vertex(nx.core_number(clique)),
        "twoCore": sorted(nx.k_core(part, 2)),
        "cliqueLabels": smallest_members(nx.community.label_propagation_communities(clique)),
        "clubLabelModularity": nx.community.modularity(
            club, nx.community.label_propagation_communities(club), weight=None
        ),
        "clubLabelsAsWritten": label_propagation_as_written(club, 50),
        "cliqueLouvain": smallest_members(nx.community.louvain_communities(clique, seed=1)),
        "clubLouvainAsWritten": louvain_as_written(club),
        "tieLouvainAsWritten": louvain_as_written(tie),
        "clustering": by_vertex(nx.clustering(tie)),
        "closeness": by_vertex(nx.closeness_centrality(tie)),
        "harmonic": by_vertex(nx.harmonic_centrality(tie)),
        "betweennessAsWritten": betweenness_as_written(tie),
        "eigenvector": by_vertex(nx.eigenvector_centrality_numpy(tie, weight=None)),
        "inDegree": by_vertex(nx.in_degree_centrality(link)),
        "degree": by_vertex(nx.degree_centrality(link)),
        "strength": by_vertex(dict(tie.degree(weight="weight"))),
        "hops": by_vertex(nx.single_source_shortest_path_length(tie, 0)),
        "distances": by_vertex(nx.single_source_dijkstra_path_length(tie, 0)),
        "costs": [nx.astar_path_length(tie, 0, v, weight="cost") for v in (300, 123, 599)],
        "diameter": nx.diameter(tie),
        "flow": nx.maximum_flow_value(link, 0, 300),
        "spanningTree": sorted(min(a, b) * count + max(a, b) for a, b in tree),
        "cycles": cycles_up_to(5),
        "jaccard": jaccard(0),
        "cosine": cosine(tie, 0),
        "pairs": chosen,
        "adamicAdar": predictions(nx.adamic_adar_index),
        "resourceAllocation": predictions(nx.resource_allocation_index),
        "preferential": predictions(nx.preferential_attachment),
        "commonNeighbours": [len(list(nx.common_neighbors(tie, a, b))) for a, b in chosen],
        "totalNeighbours": [len(set(tie[a]) | set(tie[b])) for a, b in chosen],
        "jaccardOfPairs": list(nx.jaccard_coefficient(like, likers())),
        "cosineOfPairs": [
            (v, other, value) for v in range(count) for other, value in cosine(like, v).items()
        ],
    },
    sys.stdout,
)
