"""igraph as a contender of the bench: reads questions as lines of JSON, answers each with one line.

Times are per unit of a row (one lookup, one seed, one pass), as in contender.ts. igraph's PageRank
iterates until it converges, so it does not take part in the row of ten iterations.
"""
import csv
import json
import sys
import time
from datetime import datetime, timezone

import igraph


def resident_bytes():
    with open('/proc/self/statm') as statm:
        return int(statm.read().split()[1]) * 4096


def epoch_seconds(text, cache={}):
    day, clock = text.split(' ')
    if day not in cache:
        cache[day] = int(datetime.fromisoformat(day).replace(tzinfo=timezone.utc).timestamp())
    hours, minutes, seconds = clock.split(':')
    return cache[day] + int(hours) * 3600 + int(minutes) * 60 + int(seconds)


class Contender:
    def __init__(self, settings):
        self.settings = settings
        self.graph = None
        self.index = {}
        self.undirected = None

    def load(self):
        before = resident_bytes()
        started = time.perf_counter()
        vertices = list(self.records('verticesCsv'))
        self.index = {record[0]: number for number, record in enumerate(vertices)}
        ends, weights, amounts, sinces = [], [], [], []
        for source, target, weight, amount, since in self.records('edgesCsv'):
            ends.append((self.index[source], self.index[target]))
            weights.append(int(weight))
            amounts.append(float(amount))
            sinces.append(epoch_seconds(since))
        graph = igraph.Graph(len(vertices), ends, directed=True)
        for place, name in enumerate(['name', 'label', 'age', 'score', 'created']):
            graph.vs[name] = [record[place] for record in vertices]
        graph.es['weight'] = weights
        graph.es['amount'] = amounts
        graph.es['since'] = sinces
        self.graph = graph
        return {
            'seconds': time.perf_counter() - started,
            'durable': False,
            'memoryBytes': resident_bytes() - before,
            'diskBytes': None,
        }

    def records(self, file):
        with open(self.settings[file], newline='') as stream:
            reader = csv.reader(stream)
            next(reader)
            yield from reader

    def lookup(self):
        graph, index = self.graph, self.index
        return timed(self.settings['ids'], lambda ids: {
            'found': sum(1 for id in ids if graph.vs[index[id]].attributes())
        })

    def hop1(self):
        graph, index = self.graph, self.index
        return timed(self.settings['seeds'], lambda seeds: {
            'edges': sum(
                len([edge.attributes() for edge in graph.es[graph.incident(index[seed])]])
                for seed in seeds
            )
        })

    def hop2count(self):
        return self.neighbourhoods(self.settings['seeds'], 2)

    def hop3count(self):
        return self.neighbourhoods(self.settings['seeds'][: self.settings['seedsOf3Hops']], 3)

    def neighbourhoods(self, seeds, hops):
        graph, index = self.graph, self.index
        return timed(seeds, lambda ids: {
            'total': sum(
                graph.neighborhood_size(index[id], order=hops, mode='out') - 1 for id in ids
            )
        })

    def filteredSum(self):
        weight_above = self.settings['weightAbove']
        since_from = self.settings['sinceFromSeconds']

        def work(_):
            edges = self.graph.es
            chosen = [
                amount
                for weight, amount, since in zip(edges['weight'], edges['amount'], edges['since'])
                if weight > weight_above and since >= since_from
            ]
            return {'sum': '%.2f' % sum(chosen), 'count': len(chosen)}

        return timed([None], work)


    def breadthFirst(self):
        graph, source = self.graph, self.index[self.settings['seeds'][0]]

        def work(_):
            order, starts, _ = graph.bfs(source, mode='out')
            levels = [starts[hop + 1] - starts[hop] for hop in range(len(starts) - 1)]
            return {'reached': len(order), 'levels': sum(h * n for h, n in enumerate(levels))}

        return timed([None], work)

    def components(self):
        return timed([None], lambda _: {
            'components': len(self.graph.connected_components(mode='weak'))
        })

    def shortestPaths(self):
        source = self.index[self.settings['seeds'][0]]

        def work(_):
            (distances,) = self.graph.distances([source], weights='weight', mode='out')
            finite = [distance for distance in distances if distance != float('inf')]
            return {'reached': len(finite), 'sum': int(sum(finite))}

        return timed([None], work)

    def triangles(self):
        """From the transitivity, as igraph has no count: exact, since it is a ratio of integers."""
        if self.undirected is None:
            self.undirected = self.graph.as_undirected(combine_edges='first')

        def work(_):
            pairs = sum(degree * (degree - 1) // 2 for degree in self.undirected.degree())
            return {'triangles': round(self.undirected.transitivity_undirected() * pairs / 3)}

        return timed([None], work)


def timed(units, work):
    started = time.perf_counter()
    answer = work(units)
    return {'seconds': (time.perf_counter() - started) / len(units), 'answer': answer}


def main():
    contender = None
    for line in sys.stdin:
        question = json.loads(line)
        try:
            if question['kind'] == 'settings':
                contender = Contender(question)
                reply = {}
            elif question['kind'] == 'load':
                reply = contender.load()
            else:
                reply = getattr(contender, question['row'])()
        except Exception as error:
            reply = {'failed': repr(error)}
        print(json.dumps(reply), flush=True)


main()
