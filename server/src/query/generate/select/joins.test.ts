/** Patterns that close on themselves, against enumeration, in every state of the memory. */
import { describe, expect, it } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import { createRandom } from '#kernel/prng.ts'
import { engineWith, FrameBuilder } from '../../../../test/fixtures/engine.ts'
import { QueryRunner } from '../../../../test/fixtures/query-runner.ts'
import { smallCatalog } from '../../../../test/fixtures/small-graph.ts'

const PEOPLE = 40

interface Edge {
  readonly from: number
  readonly to: number
  readonly weight: number
}

/** What the engine should hold. */
class Model {
  follows: Edge[] = []
  knows: Edge[] = []
  readonly random = createRandom(5)

  /** Edges that are not there yet, for a frame. */
  grow(count: number): FrameBuilder {
    const frame = new FrameBuilder(smallCatalog)
    for (let i = 0; i < count; i++) {
      const [from, to, weight] = [this.person(), this.person(), 1 + this.random.below(1_000)]
      const isNew = (edge: Edge) => edge.from !== from || edge.to !== to
      if (this.follows.every(isNew)) {
        this.follows.push({ from, to, weight })
        frame.edge('Follows', [`p${from}`, `p${to}`], { weight })
      }
      const isNewPair = (edge: Edge) => isNew(edge) && (edge.from !== to || edge.to !== from)
      if (i % 2 === 0 && this.knows.every(isNewPair)) {
        this.knows.push({ from, to, weight })
        frame.edge('Knows', [`p${from}`, `p${to}`], { weight })
      }
    }
    return frame
  }

  person(): number {
    return this.random.below(PEOPLE)
  }

  remove(person: number): FrameBuilder {
    const stays = ({ from, to }: Edge) => from !== person && to !== person
    this.follows = this.follows.filter(stays)
    this.knows = this.knows.filter(stays)
    return new FrameBuilder(smallCatalog).deleteVertex('Person', `p${person}`)
  }

  answer() {
    const { follows, knows } = this
    const after = new Map<number, Edge[]>()
    for (const edge of follows) after.set(edge.from, [...(after.get(edge.from) ?? []), edge])
    const next = (vertex: number) => after.get(vertex) ?? []
    const both = [
      ...knows,
      ...knows.flatMap((e) => (e.from === e.to ? [] : [{ ...e, from: e.to, to: e.from }])),
    ]
    const sums = { closed: 0, cycles: 0, fans: 0, middle: 0, friends: 0, mixed: 0, loops: 0 }
    for (const one of follows) {
      if (one.from === one.to) sums.loops += one.weight
      for (const two of next(one.to)) {
        for (const three of next(one.from)) if (three.to === two.to) sums.closed += three.weight
        for (const three of next(two.to)) {
          if (three.to === one.from) sums.cycles += three.weight
          const closing = next(one.from).filter(({ to }) => to === two.to)
          for (const edge of closing) sums.middle += edge.weight + three.weight
        }
        for (const edge of both) {
          if (edge.from === one.from && edge.to === two.to) sums.mixed += edge.weight
        }
      }
      for (const two of next(one.from)) {
        for (const three of next(two.to)) if (three.to === one.to) sums.fans += three.weight
      }
    }
    for (const one of both) {
      for (const two of both) {
        if (two.from !== one.to) continue
        for (const three of both) {
          if (three.from === two.to && three.to === one.from) sums.friends += three.weight
        }
      }
    }
    return sums
  }
}

const select = (name: string, pattern: string, value: string) =>
  `${name} = SELECT a FROM ${pattern} ACCUM @@${name} += ${value};`

const body = `SumAccum<INT> @@closed, @@cycles, @@fans, @@middle, @@friends, @@mixed, @@loops;
  ${select('closed', '(a:Person)-[:Follows]->(b:Person)-[:Follows]->(c:Person), (a)-[e:Follows]->(c)', 'e.weight')}
  ${select('cycles', '(a:Person)-[:Follows]->(b:Person)-[:Follows]->(c:Person)-[e:Follows]->(a)', 'e.weight')}
  ${select('fans', '(a:Person)-[:Follows]->(b:Person), (a)-[:Follows]->(c:Person), (c)-[e:Follows]->(b)', 'e.weight')}
  ${select('middle', '(a:Person)-[:Follows]->(b:Person)-[:Follows]->(c:Person)-[d:Follows]->(x:Person), (a)-[e:Follows]->(c)', 'e.weight + d.weight')}
  ${select('friends', '(a:Person)-[:Knows]-(b:Person)-[:Knows]-(c:Person)-[e:Knows]-(a)', 'e.weight')}
  ${select('mixed', '(a:Person)-[:Follows]->(b:Person)-[:Follows]->(c:Person), (a)-[e:Knows]-(c)', 'e.weight')}
  ${select('loops', '(a:Person)-[e:Follows]->(a)', 'e.weight')}
  PRINT @@closed AS closed, @@cycles AS cycles, @@fans AS fans, @@middle AS middle,
    @@friends AS friends, @@mixed AS mixed, @@loops AS loops;`

describe('hops between two vertices that are known', () => {
  it('give the rows of an enumeration: new edges, base edges, both, and after deletes', async () => {
    const engine: GraphEngine = await engineWith(smallCatalog)
    const runner = new QueryRunner(smallCatalog, engine)
    const model = new Model()
    const check = (state: string) =>
      expect((runner.run(body) as unknown[])[0], state).toEqual(model.answer())
    const people = new FrameBuilder(smallCatalog)
    for (let person = 0; person < PEOPLE; person++) people.vertex('Person', `p${person}`)
    await engine.commit(people.finish())
    await engine.commit(model.grow(300).finish())
    expect(model.answer().closed).toBeGreaterThan(0)
    check('new edges')
    await engine.rebuild()
    check('base edges')
    await engine.commit(model.grow(200).finish())
    check('base and new edges')
    for (const person of [3, 17, 18]) await engine.commit(model.remove(person).finish())
    check('after deletes')
    await engine.rebuild()
    check('rebuilt after deletes')
    await engine.close()
  })
})
