import { beforeEach, describe, expect, it } from 'vitest'
import { type Catalog, emptyCatalog } from '#catalog/types.ts'
import { DbError } from '#kernel/errors.ts'
import { SchemaService } from './schema-service.ts'

let catalog: Catalog
let refusal: DbError | null
/** Names of graphs under which queries, jobs and rights are kept. */
let kept: { queries: string[]; jobs: string[]; rights: string[] }
let schema: SchemaService

const forgetIn = (what: 'queries' | 'jobs' | 'rights') => (graph: string) => {
  kept[what] = kept[what].filter((name) => name !== graph)
  return Promise.resolve()
}

beforeEach(async () => {
  catalog = emptyCatalog
  refusal = null
  kept = { queries: [], jobs: [], rights: [] }
  const store = {
    get catalog() {
      return catalog
    },
    changeCatalog: async (change: (before: Catalog) => Catalog) => {
      const next = change(catalog)
      await Promise.resolve()
      if (refusal !== null) throw refusal
      catalog = next
      return next
    },
  }
  const namesOf = (graph: string) => (kept.queries.includes(graph) ? ['q'] : [])
  schema = new SchemaService({
    store,
    queries: { namesOf, textsOf: () => [], dropAllOf: forgetIn('queries') },
    jobs: { of: () => [], dropAllOf: forgetIn('jobs') },
    users: { followRenames: async () => undefined, forgetGraph: forgetIn('rights') },
    onChange: () => undefined,
  })
  await schema.createGraph('g', { vertices: [], edges: [] })
  kept = { queries: ['g'], jobs: ['g'], rights: ['g'] }
})

describe('dropping a graph', () => {
  it('takes nothing away when the change of the schema is refused', async () => {
    refusal = new DbError('DISK_FULL', 'no room')
    await expect(schema.dropGraphs(['g'], true)).rejects.toThrow('no room')
    expect(kept).toEqual({ queries: ['g'], jobs: ['g'], rights: ['g'] })
  })

  it('takes queries, jobs and rights with it', async () => {
    await schema.dropGraphs(['g'], true)
    expect(kept).toEqual({ queries: [], jobs: [], rights: [] })
  })

  it('leaves nothing to the next graph of its name, also when it was interrupted', async () => {
    await schema.dropGraphs(['g'], true)
    kept.rights = ['g']
    await schema.createGraph('g', { vertices: [], edges: [] })
    expect(kept.rights).toEqual([])
  })

  it('is over before its name is given away again', async () => {
    const drop = schema.dropGraphs(['g'], true)
    const create = schema.createGraph('g', { vertices: [], edges: [] }).then(() => {
      kept.rights.push('g')
    })
    await Promise.all([drop, create])
    expect(kept.rights).toEqual(['g'])
  })
})
