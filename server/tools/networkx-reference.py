"""What networkx (Debian's python3-networkx) answers for the graph of compare-algorithms.ts.

Reads {"vertices": n, "ties": [[a, b, weight, cost]…], "parts": [[a, b]…], "links": [[a, b, capacity]…],
"clubs": [[a, b, weight]…], "cliques": [[a, b, weight]…], "likes": [[vertex, tag, weight]…]} and writes one JSON object, an entry per algorithm.
Vertices are numbers from 0 to n - 1.
"""

import json
import math
import struct
import sys

import networkx as nx

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


def label_propagation_as_written(graph, rounds):
    """All vertices at once; the first of the most frequent labels in order of their numbers; a label only
    gives way to one that occurs more often than itself did when it was taken (two vertices swap theirs).
    """
    label, times = list(range(count)), [0] * count
    for _ in range(rounds):
        taken = list(label)
        changed = False
        for v in range(count):
            seen = {}
            for u in graph[v]:
                seen[taken[u]] = seen.get(taken[u], 0) + 1
            most = max(seen.values(), default=0)
            best = min((one for one, n in seen.items() if n == most), default=0)
            if best != 0 and taken[v] != best and most > times[v]:
                label[v], times[v], changed = best, most, True
        if not changed:
            break
    return same_labels(label)


def same_labels(labels):
    least = {}
    return [least.setdefault(label, v) for v, label in enumerate(labels)]


def betweenness_as_written():
    """What the text of tg_betweenness_cent says. It is not Brandes: up to 60 sources share one count of
    paths per depth, the dependency is divided by 1 + delta where Brandes multiplies, and ends count too.
    """
    delta = [0.0] * count
    batches = max(count // 60, 1)
    number = 1
    for batch in range(batches):
        sources = [v for v in range(count) if v % batches == batch]
        seen, visit = [0] * count, [0] * count
        sigma = [{} for _ in range(count)]
        times = [{} for _ in range(count)]
        for v in sources:
            seen[v] = visit[v] = times[v][0] = 1 << number
            sigma[v][0] = 1
            number += 1
        number = 0
        depth, start = 0, sources
        while start:
            depth += 1
            rows = [(s, t) for s in start for t in tie[s] if visit[s] & ~seen[t]]
            new, paths = {}, {}
            for s, t in rows:
                new[t] = new.get(t, 0) | (visit[s] & ~seen[t])
                paths[t] = paths.get(t, 0) + sigma[s].get(depth - 1, 0)
            for t, bits in new.items():
                seen[t] |= bits
                visit[t] = bits
                times[t][depth] = times[t].get(depth, 0) | bits
                sigma[t][depth] = sigma[t].get(depth, 0) + paths[t]
            start = list(new)
        depth -= 1
        while True:
            start = [v for v in range(count) if sigma[v].get(depth, 0) != 0]
            if not start:
                break
            depth -= 1
            added = {}
            for s in start:
                for t in tie[s]:
                    shared = times[t].get(depth, 0) & times[s].get(depth + 1, 0)
                    if shared:
                        share = sigma[t].get(depth, 0) / (sigma[s][depth + 1] * (1 + delta[s]))
                        added[t] = added.get(t, 0) + share * bin(shared).count("1") / 2.0
            for t, value in added.items():
                delta[t] += value
    return delta


def louvain_as_written(graph):
    """What the text of tg_louvain says. Its first round weighs a move by the total weight times a product
    of weights, and its greatest move is never cleared: later rounds of one level seldom find a better one.
    """
    weight = graph.degree(weight="weight")
    total = graph.size(weight="weight")
    strength = [weight[v] for v in range(count)]
    community = list(range(count))
    incident = list(strength)
    best = [None] * count

    def offer(v, move):
        best[v] = move if best[v] is None else max(best[v], move)

    def apply(first):
        changes = 0
        moved = []
        for v in range(count):
            gain, negative, target = best[v]
            own = v if first else community[v]
            if gain > 0 and (-negative < incident[v] or (-negative == incident[v] and own < target)):
                moved.append((v, target, -negative))
                changes += 1
        for v, target, value in moved:
            community[v], incident[v] = target, value
        return changes

    for s, t, data in graph.edges(data=True):
        for a, b in ((s, t), (t, s)):
            # FLOAT: every operation is single precision, and equal gains are decided by it.
            product = single(single(total * strength[b]) * (strength[b] - strength[a]))
            offer(b, (single(data["weight"] + product), -incident[a], a))
    changes = apply(True)
    rounds = 0
    while changes > 0 and rounds < 10:
        rounds += 1
        around = [{} for _ in range(count)]
        for v in range(count):
            for u in graph[v]:
                key = community[u]
                around[v][key] = around[v].get(key, 0) + graph[v][u]["weight"]
        sums = [0] * count
        for v in range(count):
            sums[community[v]] += strength[v]
        # Members take the sum of their community's centre, all from the values before.
        taken = [sums[community[v]] for v in range(count)]
        for v in range(count):
            for u in graph[v]:
                own = int(around[v].get(v, 0))
                gain = around[v].get(community[u], 0) - own
                share = single(single(single(1 / total) * strength[v]) * (taken[v] - taken[u]))
                offer(v, (single(gain + share), -incident[u], community[u]))
        changes = apply(False)
    return same_labels(community)


def single(value):
    return struct.unpack("f", struct.pack("f", value))[0]


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
        "betweennessAsWritten": betweenness_as_written(),
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
