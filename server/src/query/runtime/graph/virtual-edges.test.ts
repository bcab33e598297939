import { describe, expect, it } from 'vitest'
import { arrayCatalog, arrayView } from '../../../../test/fixtures/array-view.ts'
import { QueryRunner } from '../../../../test/fixtures/query-runner.ts'

const none = new Float64Array(0)
const words = new Uint32Array(0)
const edges = { vertexCount: 100_000, sources: words, targets: words }
const view = arrayView({ ...edges, weights: none, amounts: none, sinces: none })
const runner = new QueryRunner(arrayCatalog, () => view)

describe('virtual edges', () => {
  it('count what they keep for every vertex against the limit of memory', () => {
    const body = 'CREATE DIRECTED VIRTUAL EDGE Hop (FROM V, TO V); PRINT 1;'
    const half = { memoryLimitBytes: 2 ** 19 }
    expect(runner.run('PRINT 1;', half)).toEqual([{ '1': 1 }])
    expect(runner.run(body, { memoryLimitBytes: 2 ** 20 })).toEqual([{ '1': 1 }])
    expect(() => runner.run(body, half)).toThrow('needs more than its 1 MB')
  })
})
