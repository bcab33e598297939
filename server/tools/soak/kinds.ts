/** The kinds of requests and how often each is sent, as weights. */
import { installQuery, login, runOwnQuery, wrongLogin } from './accounts.ts'
import type { Task } from './reads.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

/** Large texts are written by so many clients only: the data volume is bounded. */
const LARGE_WRITERS = 8
const UPSERT_ENTRIES = [1, 1, 1, 1, 10, 100]

export interface Kind {
  readonly name: string
  readonly weight: number
  readonly run: Task
}

export const kinds: readonly Kind[] = [
  { name: 'point-read', weight: 400, run: reads.pointRead },
  { name: 'fixed-read', weight: 40, run: reads.fixedRead },
  { name: 'vertex-list', weight: 20, run: reads.vertexList },
  { name: 'edge-list', weight: 30, run: reads.edgeList },
  { name: 'edge-count', weight: 20, run: reads.edgeCount },
  { name: 'count', weight: 15, run: reads.count },
  { name: 'big-list', weight: 1, run: reads.bigList },
  { name: 'audit', weight: 4, run: reads.audit },
  { name: 'installed-query', weight: 50, run: reads.installedQuery },
  { name: 'interpreted-query', weight: 10, run: reads.interpretedQuery },
  { name: 'detached-query', weight: 5, run: reads.detachedQuery },
  { name: 'ranking-query', weight: 2, run: reads.rankingQuery },
  { name: 'statistics', weight: 6, run: reads.statistics },
  { name: 'upsert', weight: 120, run: writing('upsert', upsert) },
  { name: 'flagged-upsert', weight: 10, run: writing('flagged-upsert', writes.flaggedUpsert) },
  { name: 'multi-edges', weight: 30, run: writing('multi-edges', writes.multiEdges) },
  { name: 'large-upsert', weight: 8, run: largeUpsert },
  { name: 'delete-item', weight: 30, run: writing('delete-item', writes.deleteItem) },
  { name: 'delete-by-filter', weight: 2, run: writing('delete-by-filter', writes.deleteByFilter) },
  { name: 'delete-edges', weight: 20, run: deleteEdges },
  { name: 'changing-query', weight: 10, run: writing('changing-query', writes.changingQuery) },
  { name: 'load-lines', weight: 8, run: writing('load-lines', writes.loadLines) },
  { name: 'install-query', weight: 2, run: installQuery },
  { name: 'own-query', weight: 8, run: runOwnQuery },
  { name: 'login', weight: 4, run: login },
  { name: 'wrong-login', weight: 1, run: wrongLogin },
]

type MakeWrite = typeof writes.deleteItem

function writing(kind: string, make: MakeWrite): Task {
  return (client) => client.write(kind, make(client.random, client.place))
}

function upsert(...[random, place]: Parameters<MakeWrite>): writes.Write {
  const countMax = UPSERT_ENTRIES[random.below(UPSERT_ENTRIES.length)]!
  return writes.upsert(random, place, countMax)
}

async function largeUpsert(client: Parameters<Task>[0]): Promise<void> {
  if (client.place.client >= LARGE_WRITERS) return
  await client.write('large-upsert', writes.largeUpsert(client.random, client.place))
}

async function deleteEdges(client: Parameters<Task>[0]): Promise<void> {
  const write = writes.deleteEdges(client.random, client.place, client.state)
  if (write !== null) await client.write('delete-edges', write)
}
