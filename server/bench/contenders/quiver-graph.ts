/** The bench's graph as our server is told it: schema through JSON, queries as GSQL. */

import {
  breadthFirstBody,
  componentsBody,
  searchesBody,
  shortestPathsBody,
  trianglesBody,
} from '../kernels.ts'
import { datetime } from '../rmat.ts'
import { SINCE_FROM_SECONDS, WEIGHT_ABOVE } from '../rows.ts'

const attribute = (name: string, type: string) => ({
  AttributeName: name,
  AttributeType: { Name: type },
})

const edgeAttributes = [
  attribute('weight', 'INT'),
  attribute('amount', 'DOUBLE'),
  attribute('since', 'DATETIME'),
]

const edgeType = (name: string, ends: string) => ({
  Name: name,
  IsDirected: true,
  FromVertexTypeName: ends,
  ToVertexTypeName: ends,
  Config: {},
  Attributes: edgeAttributes,
})

/** W and F take the edges written while measuring, so that the rows on V and E keep their answers. */
export const benchSchema = {
  addVertexTypes: [
    { Name: 'W', PrimaryId: attribute('id', 'STRING'), Attributes: [] },
    {
      Name: 'V',
      PrimaryId: attribute('id', 'STRING'),
      Attributes: [
        attribute('name', 'STRING'),
        attribute('age', 'INT'),
        attribute('score', 'DOUBLE'),
        attribute('created', 'DATETIME'),
      ],
    },
  ],
  addEdgeTypes: [edgeType('F', 'W'), edgeType('E', 'V')],
}

export const benchQueries = `
CREATE OR REPLACE QUERY hops(VERTEX<V> seed, INT k) FOR GRAPH bench SYNTAX v2 {
  OrAccum @seen; SumAccum<INT> @@total;
  Frontier = {seed};
  Frontier = SELECT s FROM Frontier:s POST-ACCUM s.@seen = true;
  FOREACH i IN RANGE [1, k] DO
    Frontier = SELECT t FROM Frontier:s -(E>:e)- V:t WHERE NOT t.@seen
      POST-ACCUM t.@seen = true, @@total += 1;
  END;
  PRINT @@total AS total;
}
CREATE OR REPLACE QUERY counts() FOR GRAPH bench SYNTAX v2 {
  SumAccum<INT> @@edges;
  All = {V.*};
  Sources = SELECT s FROM All:s -(E>:e)- V:t ACCUM @@edges += 1;
  PRINT All.size() AS vertices, @@edges AS edges;
}
CREATE OR REPLACE QUERY filtered_sum() FOR GRAPH bench SYNTAX v2 {
  SumAccum<DOUBLE> @@sum; SumAccum<INT> @@count;
  Start = {V.*};
  Start = SELECT s FROM Start:s -(E>:e)- V:t
    WHERE e.weight > ${WEIGHT_ABOVE} AND e.since >= to_datetime("${datetime(SINCE_FROM_SECONDS)}")
    ACCUM @@sum += e.amount, @@count += 1;
  PRINT @@sum AS sum, @@count AS count;
}
CREATE OR REPLACE QUERY page_rank(INT rounds) FOR GRAPH bench SYNTAX v2 {
  SumAccum<DOUBLE> @received; SumAccum<DOUBLE> @rank = 1;
  SumAccum<DOUBLE> @@sum; MaxAccum<DOUBLE> @@top;
  All = {V.*};
  FOREACH i IN RANGE [1, rounds] DO
    Senders = SELECT s FROM All:s -(E>:e)- V:t ACCUM t.@received += s.@rank / s.outdegree("E");
    All = {V.*};
    All = SELECT s FROM All:s POST-ACCUM s.@rank = 0.15 + 0.85 * s.@received, s.@received = 0;
  END;
  All = SELECT s FROM All:s POST-ACCUM @@sum += s.@rank, @@top += s.@rank;
  PRINT @@sum AS sum, @@top AS top, All.size() AS vertices;
}
CREATE OR REPLACE QUERY breadth_first(VERTEX<V> source) FOR GRAPH bench SYNTAX v2 {${breadthFirstBody}}
CREATE OR REPLACE QUERY searches(VERTEX<V> source, INT times) FOR GRAPH bench SYNTAX v2 {${searchesBody}}
CREATE OR REPLACE QUERY components() FOR GRAPH bench SYNTAX v2 {${componentsBody}}
CREATE OR REPLACE QUERY triangles() FOR GRAPH bench SYNTAX v2 {${trianglesBody}}
CREATE OR REPLACE QUERY shortest_paths(VERTEX<V> source) FOR GRAPH bench SYNTAX v2 {${shortestPathsBody}}
`
