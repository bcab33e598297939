/**
 * Everything that lies on ways between two vertices of at most so many edges more than the shortest
 * has: all vertices whose distances from both ends add up to no more, and the edges between them.
 */
import type { EdgeRow, VertexRow } from '../model/wire-rows.ts'
import {
  edgesFrom,
  type FoundPaths,
  PATH_EDGES_MAX,
  type PathRequest,
  searchBetween,
  vertexFrom,
} from './paths.ts'

/** Vertices on such ways; among more nobody would look at each way. */
const CORRIDOR_VERTICES_MAX = 2_000

const queryText = (
  graph: string,
) => `INTERPRET QUERY (VERTEX source, VERTEX target, INT extra) FOR GRAPH ${graph} {
  OrAccum @seen, @met, @@found;
  MinAccum<INT> @distance, @back;
  SetAccum<EDGE> @@edges;
  INT steps = 0;
  INT longest = ${PATH_EDGES_MAX};
  INT away = 0;
  Front = {source};
  Front = SELECT v FROM Front:v POST-ACCUM v.@seen += TRUE, v.@distance += 0;
  WHILE Front.size() > 0 AND steps < longest LIMIT ${PATH_EDGES_MAX} DO
    steps = steps + 1;
    Front = SELECT w FROM Front:v -(:e)- :w WHERE NOT w.@seen
      ACCUM w.@distance += steps
      POST-ACCUM w.@seen += TRUE, IF w == target THEN @@found += TRUE END;
    IF @@found AND away == 0 THEN
      away = steps;
      IF steps + extra < longest THEN longest = steps + extra; END;
    END;
  END;
  Ways = {};
  steps = 0;
  IF @@found THEN
    Front = {target};
    Front = SELECT v FROM Front:v POST-ACCUM v.@met += TRUE, v.@back += 0;
    Ways = Front;
    WHILE Front.size() > 0 AND steps < longest LIMIT ${PATH_EDGES_MAX} DO
      steps = steps + 1;
      Front = SELECT v FROM Front:w -(:e)- :v
        WHERE v.@seen AND NOT v.@met AND v.@distance + steps <= longest
        ACCUM v.@back += steps
        POST-ACCUM v.@met += TRUE;
      Ways = Ways UNION Front;
    END;
  END;
  PRINT @@found AS found, away, longest, Ways.size() AS many;
  IF Ways.size() <= ${CORRIDOR_VERTICES_MAX} THEN
    Ends = SELECT w FROM Ways:v -(:e)- :w
      WHERE w.@met AND v.@distance + 1 + w.@back <= longest
      ACCUM @@edges += e;
    PRINT Ways;
    PRINT @@edges AS edges;
  END;
}`

export interface Corridor extends FoundPaths {
  /** Edges that a way may have. */
  readonly edgesMax: number
}

/** @throws Error where so many vertices lie between them that the ways cannot be told apart */
export async function findCorridor(request: PathRequest, extra: number): Promise<Corridor> {
  const values = await searchBetween<{
    readonly found: boolean
    readonly away: number
    readonly longest: number
    readonly many: number
    /** Absent where there are too many. */
    readonly Ways?: readonly VertexRow[]
    readonly edges?: readonly EdgeRow[]
  }>(request, queryText(request.graph), { extra: String(extra) })
  if (values.many > CORRIDOR_VERTICES_MAX) {
    const ways = `ways of at most ${values.longest} edges`
    const where = `${values.many.toLocaleString('en')} vertices lie on ${ways}`
    throw new Error(`${where}: too many to tell those apart. Ask for shorter ones.`)
  }
  return {
    length: values.found ? values.away : null,
    edgesMax: values.longest,
    vertices: (values.Ways ?? []).map(vertexFrom),
    edges: edgesFrom(values.edges ?? [], request.forwardNames),
  }
}
