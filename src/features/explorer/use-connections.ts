/** How vertices are connected: all shortest paths between each two of them, drawn and told. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { findPaths, PATH_EDGES_MAX } from './api/paths.ts'
import { type Connection, connectionOf } from './model/path-words.ts'
import { addElements, type Elements, type Scene, type SceneVertex } from './model/scene.ts'

/** What the last search found, for as long as what it selected is selected. */
interface Connected {
  readonly selection: readonly string[]
  readonly connections: readonly Connection[]
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
    (chosen: readonly SceneVertex[]) =>
      attempt(async () => {
        const { edges } = await client.fetchQuery(graphSchemaQuery(graph))
        const forwardNames = new Map(
          edges.flatMap(({ name, reverseName }) =>
            reverseName === null ? [] : [[reverseName, name] as const],
          ),
        )
        const connections: Connection[] = []
        const elements: Elements[] = []
        for (const [source, target] of pairsOf(chosen)) {
          const ends = { source: source.key, target: target.key }
          const found = await findPaths({ graph, ...ends, forwardNames })
          connections.push(connectionOf(source, target, found))
          elements.push(found)
        }
        if (connections.every(({ length }) => length === null)) {
          throw new Error(`No path of at most ${PATH_EDGES_MAX} edges leads from one to the other.`)
        }
        const all = {
          vertices: elements.flatMap(({ vertices }) => vertices),
          edges: elements.flatMap((one) => one.edges),
        }
        draw('Connect', all, (scene) => addElements(scene, all))
        const keys = [...chosen, ...all.vertices, ...all.edges].map(({ key }) => key)
        const selection = [...new Set(keys)]
        select(selection)
        setConnected({ selection, connections })
      }),
    [graph, client, attempt, draw, select],
  )
  return { connect, connected }
}

function pairsOf<T>(all: readonly T[]): readonly (readonly [T, T])[] {
  return all.flatMap((one, place) => all.slice(place + 1).map((other) => [one, other] as const))
}
