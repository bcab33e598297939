/** How vertices are connected: paths between each two of them, drawn and told. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { findCorridor } from './api/corridor.ts'
import { findPaths, PATH_EDGES_MAX, type PathRequest } from './api/paths.ts'
import { cheapestWays, costBy } from './model/cheapest-ways.ts'
import { type Connection, connectionOf, waysOf } from './model/path-words.ts'
import { addOutOfTurn } from './model/remainders.ts'
import type { Elements, Scene, SceneVertex } from './model/scene.ts'

/** What the last search found, for as long as what it selected is selected. */
interface Connected {
  readonly selection: readonly string[]
  readonly connections: readonly Connection[]
}

/** Which paths: null asks for all shortest ones. */
export interface WaysWanted {
  /** What the cost of an edge is; null: each is 1. */
  readonly attribute: string | null
  /** Edges more than the shortest path has. */
  readonly extra: number
  readonly count: number
}

interface Told {
  readonly connection: Connection
  readonly elements: Elements
}

interface ConnectionTools {
  readonly attempt: (work: () => Promise<void>) => Promise<void>
  readonly draw: (label: string, elements: Elements, make: (scene: Scene) => Scene) => void
  readonly select: (keys: readonly string[]) => void
}

export function useConnections(graph: string, { attempt, draw, select }: ConnectionTools) {
  const client = useQueryClient()
  const [connected, setConnected] = useState<Connected | null>(null)
  /** Whatever the directions of edges; an edge met backwards is told by its forward name. */
  const connect = useCallback(
    (chosen: readonly SceneVertex[], wanted: WaysWanted | null) =>
      attempt(async () => {
        const { edges } = await client.fetchQuery(graphSchemaQuery(graph))
        const forwardNames = new Map(
          edges.flatMap(({ name, reverseName }) =>
            reverseName === null ? [] : [[reverseName, name] as const],
          ),
        )
        const told: Told[] = []
        for (const [source, target] of pairsOf(chosen)) {
          const request = { graph, source: source.key, target: target.key, forwardNames }
          told.push(await tellPaths({ source, target, chosen, request, wanted }))
        }
        const connections = told.map(({ connection }) => connection)
        if (connections.every(({ paths }) => paths.length === 0)) {
          throw new Error(`No path of at most ${PATH_EDGES_MAX} edges leads from one to the other.`)
        }
        const all = {
          vertices: told.flatMap(({ elements }) => elements.vertices),
          edges: told.flatMap(({ elements }) => elements.edges),
        }
        draw('Connect', all, (scene) => addOutOfTurn(scene, all))
        const keys = [...chosen, ...all.vertices, ...all.edges].map(({ key }) => key)
        const selection = [...new Set(keys)]
        select(selection)
        setConnected({ selection, connections })
      }),
    [graph, client, attempt, draw, select],
  )
  return { connect, connected }
}

interface PathsWanted {
  readonly source: SceneVertex
  readonly target: SceneVertex
  readonly chosen: readonly SceneVertex[]
  readonly request: PathRequest
  readonly wanted: WaysWanted | null
}

async function tellPaths(paths: PathsWanted): Promise<Told> {
  const { source, target, chosen, request, wanted } = paths
  if (wanted === null) {
    const found = await findPaths(request)
    const named = { ...found, vertices: [...chosen, ...found.vertices] }
    return { connection: connectionOf(source, target, named), elements: found }
  }
  const { attribute, extra, count } = wanted
  const { vertices, edges, edgesMax } = await findCorridor(request, extra)
  const { ways, isCut } = cheapestWays(edges, {
    ...{ source: source.key, target: target.key, edgesMax, count },
    costOf: attribute === null ? () => 1 : costBy(attribute),
  })
  const keys = new Set(ways.flatMap((way) => way.vertices))
  const on = vertices.filter(({ key }) => keys.has(key))
  const found = { vertices: [...chosen, ...on], ways, isCut, edgesMax, attribute }
  return {
    connection: waysOf(source, target, found),
    elements: { vertices: on, edges: ways.flatMap((way) => way.edges) },
  }
}

function pairsOf<T>(all: readonly T[]): readonly (readonly [T, T])[] {
  return all.flatMap((one, place) => all.slice(place + 1).map((other) => [one, other] as const))
}
