"""What the texts of some algorithms of the library say, where that is not what networkx computes: written
again from their rules, over a networkx graph whose vertices are 0 to n - 1 in the order they were loaded.
"""

import math
import struct


def label_propagation_as_written(graph, rounds):
    """All vertices at once; of the most frequent labels the one that is met first, neighbours in their order; a label only
    gives way to one that occurs more often than itself did when it was taken (two vertices swap theirs).
    """
    count = len(graph)
    label, times = list(range(count)), [0] * count
    for _ in range(rounds):
        taken = list(label)
        changed = False
        for v in range(count):
            seen = {}
            for u in sorted(graph[v]):
                seen[taken[u]] = seen.get(taken[u], 0) + 1
            most = max(seen.values(), default=0)
            best = next((one for one, n in seen.items() if n == most), 0)
            if best != 0 and taken[v] != best and most > times[v]:
                label[v], times[v], changed = best, most, True
        if not changed:
            break
    return same_labels(label)


def same_labels(labels):
    least = {}
    return [least.setdefault(label, v) for v, label in enumerate(labels)]


def betweenness_as_written(graph):
    """What the text of tg_betweenness_cent says. It is not Brandes: up to 60 sources share one count of
    paths per depth, the dependency is divided by 1 + delta where Brandes multiplies, and ends count too.
    """
    count = len(graph)
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
            rows = [(s, t) for s in start for t in graph[s] if visit[s] & ~seen[t]]
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
                for t in graph[s]:
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
    Vertices of one edge take no part; in the end they follow their neighbour.
    """
    count = len(graph)
    inner = {
        v: [u for u in graph[v] if graph.degree(u) > 1]
        for v in range(count)
        if graph.degree(v) > 1
    }
    active = [v for v in inner if inner[v]]
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
        for v in active:
            gain, negative, target = best[v]
            own = v if first else community[v]
            if gain > 0 and (-negative < incident[v] or (-negative == incident[v] and own < target)):
                moved.append((v, target, -negative))
                changes += 1
        for v, target, value in moved:
            community[v], incident[v] = target, value
        return changes

    for s, t, data in graph.edges(data=True):
        for a, b in ((s, t), (t, s)) if s in inner and t in inner else ():
            # FLOAT: every operation is single precision, and equal gains are decided by it.
            product = single(single(total * strength[b]) * (strength[b] - strength[a]))
            offer(b, (single(data["weight"] + product), -incident[a], a))
    changes = apply(True)
    rounds = 0
    while changes > 0 and rounds < 10:
        rounds += 1
        around = [{} for _ in range(count)]
        for v in active:
            for u in inner[v]:
                key = community[u]
                around[v][key] = around[v].get(key, 0) + graph[v][u]["weight"]
        sums = [0] * count
        for v in active:
            sums[community[v]] += strength[v]
        # Members take the sum of their community's centre, all from the values before.
        taken = [sums[community[v]] for v in range(count)]
        for v in active:
            for u in inner[v]:
                own = int(around[v].get(v, 0))
                gain = around[v].get(community[u], 0) - own
                share = single(single(single(1 / total) * strength[v]) * (taken[v] - taken[u]))
                offer(v, (single(gain + share), -incident[u], community[u]))
        changes = apply(False)
    for v in range(count):
        if graph.degree(v) == 1:
            (u,) = graph[v]
            community[v] = min(u, v) if graph.degree(u) == 1 else community[u]
    return same_labels(community)


def single(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def cosine_as_written(graph, source):
    """Cosine of the weights of edges; but where a vertex is a neighbour of the source itself, the weight of
    that edge is still in the sum of products when it begins.
    """

    def weights(v):
        return {u: data["weight"] for u, data in graph[v].items()}

    mine = weights(source)
    found = {}
    for other in graph:
        theirs = weights(other)
        shared = mine.keys() & theirs.keys()
        if other == source or not shared:
            continue
        dot = mine.get(other, 0) + sum(mine[u] * theirs[u] for u in shared)
        norms = sum(w * w for w in mine.values()) * sum(w * w for w in theirs.values())
        found[other] = dot / math.sqrt(norms)
    return found


def core_as_written(graph):
    """Core levels, but k grows after every round, also where the round has deleted vertices (see coreAsWritten
    in generated-network.ts).
    """
    degree = dict(graph.degree())
    core = [0] * len(graph)
    active, k = set(graph), 0
    while active:
        deleted = {v for v in active if degree[v] <= k}
        active -= deleted
        for v in deleted:
            core[v] = k
            for u in graph[v]:
                degree[u] -= 1
        k += 1
    return core
