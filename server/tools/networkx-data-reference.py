"""What networkx answers for one edge type of an open data set (compare-on-data.ts).

Arguments: the schema.json of the set, the edge type, the weight attribute or "". Reads upsert payloads,
one JSON object a line, and writes one JSON object: the source (the vertex with most edges) and a map from
"type id" of each vertex that has an edge to its number, per algorithm. Parallel edges count each.
"""

import json
import sys

import networkx as nx

schema_path, edge_type, weight_name = sys.argv[1:4]
with open(schema_path, encoding="utf-8") as file:
    [schema] = [one for one in json.load(file)["createEdges"] if one["Name"] == edge_type]
discriminators = schema.get("CompositeDiscriminator", [])
directed = schema["IsDirected"]
graph = nx.MultiDiGraph() if directed else nx.MultiGraph()


def value_of(row, name):
    value = row.get(name)
    return value["value"] if isinstance(value, dict) else value


for line in sys.stdin:
    for kind, sources in json.loads(line).get("edges", {}).items():
        for source, by_type in sources.items():
            for other, targets in by_type.get(edge_type, {}).items():
                for target, rows in targets.items():
                    for row in rows if isinstance(rows, list) else [rows]:
                        ends = (f"{kind} {source}", f"{other} {target}")
                        key = tuple(value_of(row, name) for name in discriminators)
                        weight = value_of(row, weight_name) or 0
                        # A later row with the same ends and discriminators is the same edge.
                        graph.add_edge(*ends, key=key, weight=weight)


def least_members(components):
    labels = {}
    for members in components:
        least = min(members)
        labels.update((v, least) for v in members)
    return labels


def ranks():
    """As rank_as_written in networkx-reference.py: vertices without an edge out keep 1."""
    outs = dict(graph.out_degree())
    rank = dict.fromkeys(graph, 1.0)
    for _ in range(100):
        received = dict.fromkeys(graph, 0.0)
        for a, b in graph.edges():
            received[b] += rank[a] / outs[a]
        rank = {v: 0.15 + 0.85 * received[v] if outs[v] else 1.0 for v in graph}
    return rank


source = max(graph, key=lambda v: (graph.degree(v), v))
answer = {
    "source": source,
    "hops": nx.single_source_shortest_path_length(graph, source),
}
if weight_name:
    answer["distances"] = nx.single_source_dijkstra_path_length(graph, source)
if directed:
    answer["components"] = least_members(nx.weakly_connected_components(graph))
    answer["strong"] = least_members(nx.strongly_connected_components(graph))
    answer["inDegree"] = dict(graph.in_degree())
    answer["ranks"] = ranks()
else:
    answer["components"] = least_members(nx.connected_components(graph))
    answer["inDegree"] = dict(graph.degree())
json.dump(answer, sys.stdout)
