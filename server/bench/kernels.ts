/** Whole-graph algorithms as GSQL bodies, for the graph with vertices V and directed edges E. */

const searchStart = `
  OrAccum @seen; SumAccum<INT> @@reached; SumAccum<INT> @@levels; INT level = 0;`
const search = `
  Frontier = {source};
  Frontier = SELECT s FROM Frontier:s POST-ACCUM s.@seen = true, @@reached += 1;
  WHILE Frontier.size() > 0 DO
    level = level + 1;
    Frontier = SELECT t FROM Frontier:s -(E>:e)- V:t WHERE NOT t.@seen
      POST-ACCUM t.@seen = true, @@reached += 1, @@levels += level;
  END;`
const searchEnd = `
  PRINT @@reached AS reached, @@levels AS levels;`

export const breadthFirstBody = `${searchStart}${search}${searchEnd}`

/** As many as `times` tells, one after the other: the request counts once. */
export const searchesBody = `${searchStart}
  All = {V.*};
  FOREACH i IN RANGE [1, times] DO
    All = SELECT s FROM All:s POST-ACCUM s.@seen = false;
    level = 0;${search}
  END;${searchEnd}`

export const componentsBody = `
  MinAccum<INT> @component; SumAccum<INT> @@components;
  All = {V.*};
  Frontier = SELECT s FROM All:s POST-ACCUM s.@component = getvid(s);
  WHILE Frontier.size() > 0 DO
    Frontier = SELECT t FROM Frontier:s -((E>|<E):e)- V:t WHERE s.@component < t.@component
      ACCUM t.@component += s.@component;
  END;
  All = SELECT s FROM All:s WHERE s.@component == getvid(s) POST-ACCUM @@components += 1;
  PRINT @@components AS components;`

/** Two vertices may be joined both ways, which is one edge here: hence PER. */
export const trianglesBody = `
  SumAccum<INT> @degree; SetAccum<VERTEX> @above; SumAccum<INT> @@triangles;
  All = {V.*};
  X = SELECT s FROM All:s -((E>|<E):e)- V:t ACCUM s.@degree += 1;
  X = SELECT s FROM All:s -((E>|<E):e)- V:t
    WHERE s.@degree < t.@degree OR (s.@degree == t.@degree AND getvid(s) < getvid(t))
    ACCUM s.@above += t;
  X = SELECT s FROM All:s -((E>|<E):e)- V:t
    WHERE s.@degree < t.@degree OR (s.@degree == t.@degree AND getvid(s) < getvid(t))
    PER (s, t)
    ACCUM @@triangles += COUNT(s.@above INTERSECT t.@above);
  PRINT @@triangles AS triangles;`

export const shortestPathsBody = `
  MinAccum<INT> @distance = 9000000000000000; SumAccum<INT> @@reached; SumAccum<INT> @@sum;
  Frontier = {source};
  Frontier = SELECT s FROM Frontier:s POST-ACCUM s.@distance = 0;
  WHILE Frontier.size() > 0 DO
    Frontier = SELECT t FROM Frontier:s -(E>:e)- V:t WHERE s.@distance + e.weight < t.@distance
      ACCUM t.@distance += s.@distance + e.weight;
  END;
  All = {V.*};
  All = SELECT s FROM All:s WHERE s.@distance < 9000000000000000
    POST-ACCUM @@reached += 1, @@sum += s.@distance;
  PRINT @@reached AS reached, @@sum AS sum;`
