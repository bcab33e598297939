/** Shortest paths between two vertices, found by the server in one query. */
import { call } from '#api/client.ts'
import { interpretQuery } from '#contract/queries.ts'
import { parseVertexKey, type SceneEdge, type SceneVertex, type VertexKey } from '../model/scene.ts'
import { type EdgeRow, toEdge, toVertex, type VertexRow } from '../model/wire-rows.ts'

/** A longer way between two vertices of a real graph tells nothing. */
export const PATH_EDGES_MAX = 8
/** Milliseconds: a search through a whole graph ends then. */
const SEARCH_TIMEOUT_MS = 15_000

export interface FoundPaths {
  /** Edges of each path; null: there is none so short. */
  readonly length: number | null
  readonly vertices: readonly SceneVertex[]
  readonly edges: readonly SceneEdge[]
}

/**
 * Steps outwards from one end, whatever the edges' directions, and back from the other over those
 * that came nearer by one: all edges of all shortest paths.
 */
const queryText = (
  graph: string,
) => `INTERPRET QUERY (VERTEX source, VERTEX target) FOR GRAPH ${graph} {
  OrAccum @seen, @@found;
  MinAccum<INT> @distance;
  SetAccum<EDGE> @@edges;
  INT steps = 0;
  Front = {source};
  Front = SELECT v FROM Front:v POST-ACCUM v.@seen += TRUE, v.@distance += 0;
  WHILE NOT @@found AND Front.size() > 0 LIMIT ${PATH_EDGES_MAX} DO
    steps = steps + 1;
    Front = SELECT w FROM Front:v -(:e)- :w WHERE NOT w.@seen
      ACCUM w.@distance += steps
      POST-ACCUM w.@seen += TRUE, IF w == target THEN @@found += TRUE END;
  END;
  Found = {};
  IF @@found THEN
    Back = {target};
    Found = Back;
    WHILE Back.size() > 0 LIMIT ${PATH_EDGES_MAX} DO
      Back = SELECT v FROM Back:w -(:e)- :v WHERE v.@seen AND v.@distance == w.@distance - 1
        ACCUM @@edges += e;
      Found = Found UNION Back;
    END;
  END;
  PRINT @@found AS found, steps;
  PRINT Found;
  PRINT @@edges AS edges;
}`

export interface PathRequest {
  readonly graph: string
  readonly source: VertexKey
  readonly target: VertexKey
  /** Edge types by the names under which they are followed backwards. */
  readonly forwardNames: ReadonlyMap<string, string>
}

export async function findPaths(request: PathRequest): Promise<FoundPaths> {
  const values = await searchBetween<{
    readonly found: boolean
    readonly steps: number
    readonly Found: readonly VertexRow[]
    readonly edges: readonly EdgeRow[]
  }>(request, queryText(request.graph))
  return {
    length: values.found ? values.steps : null,
    vertices: values.Found.map(vertexFrom),
    edges: edgesFrom(values.edges, request.forwardNames),
  }
}

/** Runs a query of the parameters `source` and `target`, and of others given; all it prints is one object. */
export async function searchBetween<Printed>(
  { graph, source, target }: PathRequest,
  body: string,
  others: Readonly<Record<string, string>> = {},
): Promise<Printed> {
  const [from, to] = [parseVertexKey(source), parseVertexKey(target)]
  const ends = { source: from.id, 'source.type': from.type, target: to.id, 'target.type': to.type }
  const printed = await call(interpretQuery, {
    query: { graph, ...ends, ...others },
    headers: { 'GSQL-TIMEOUT': String(SEARCH_TIMEOUT_MS) },
    body,
  })
  return Object.assign({}, ...printed) as Printed
}

export const vertexFrom = (row: VertexRow): SceneVertex =>
  toVertex({ ...row, attributes: plain(row.attributes) })

/** Each edge once, though it may have been met from both ends. */
export function edgesFrom(
  rows: readonly EdgeRow[],
  forwardNames: PathRequest['forwardNames'],
): readonly SceneEdge[] {
  const edges = rows.map((row) => pathEdge(row, forwardNames.get(row.e_type)))
  return [...new Map(edges.map((edge) => [edge.key, edge])).values()]
}

/** An edge met backwards is told by its reverse type, from its far end: it is the same edge. */
function pathEdge(row: EdgeRow, forwardName: string | undefined): SceneEdge {
  if (forwardName !== undefined) return toEdge({ ...row, e_type: forwardName }, 'in')
  return toEdge(row, row.directed ? 'out' : 'undirected')
}

/** Without what the search noted at the vertices. */
function plain(attributes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !name.startsWith('@')))
}
