/** The graph, queries and jobs that the clients work with. */
export const GRAPH = 'soak'
/** Vertices that nobody writes: point reads of the prober. */
export const FIXED_COUNT = 2_000
/** Rows of the file that the bulk load reads again and again. */
export const ROW_COUNT = 20_000

export const schemaText = `
CREATE VERTEX Item (PRIMARY_ID id STRING, owner INT, n INT, total INT, peak INT, low INT, first INT,
  flag BOOL, score DOUBLE, note STRING, tags SET<STRING>)
CREATE VERTEX Owner (PRIMARY_ID id INT, name STRING)
CREATE VERTEX Large (PRIMARY_ID id STRING, content STRING)
CREATE VERTEX Fixed (PRIMARY_ID id STRING, n INT, name STRING)
CREATE VERTEX BulkRow (PRIMARY_ID id INT, generation INT, name STRING)
CREATE DIRECTED EDGE Owns (FROM Owner, TO Item, weight INT) WITH REVERSE_EDGE="OwnedBy"
CREATE UNDIRECTED EDGE Knows (FROM Item, TO Item, strength INT)
CREATE DIRECTED EDGE Visit (FROM Owner, TO Item, DISCRIMINATOR(day INT), times INT)
CREATE GRAPH ${GRAPH} (Item, Owner, Large, Fixed, BulkRow, Owns, Knows, Visit)
`

export const jobsText = `
CREATE LOADING JOB load_items FOR GRAPH ${GRAPH} {
  DEFINE FILENAME f;
  LOAD f TO VERTEX Item VALUES ($0, $1, $2, _, _, _, _, _, _, _, _) USING SEPARATOR=",";
  LOAD f TO EDGE Owns VALUES ($1, $0, $3) USING SEPARATOR=",";
}
CREATE LOADING JOB load_rows FOR GRAPH ${GRAPH} {
  DEFINE FILENAME f;
  LOAD f TO VERTEX BulkRow VALUES ($0, $1, $2) USING SEPARATOR=",";
}
`

/** What a client owns, summed over both directions of the edge. */
export const ownSums = `CREATE QUERY own_sums(VERTEX<Owner> o) {
  SumAccum<INT> @@n, @@total, @@weight, @@count, @@back;
  S = {o};
  T = SELECT t FROM S:s -(Owns>:e)- Item:t
      ACCUM @@n += t.n, @@total += t.total, @@weight += e.weight, @@count += 1;
  B = SELECT s FROM T:t -(OwnedBy>:e)- Owner:s ACCUM @@back += e.weight;
  PRINT @@n, @@total, @@weight, @@count, @@back;
}`

export const raiseOwn = `CREATE QUERY raise_own(VERTEX<Owner> o, INT by) {
  SumAccum<INT> @@raised;
  S = {o};
  T = SELECT t FROM S:s -(Owns>:e)- Item:t
      ACCUM e.weight = e.weight + by, @@raised += 1
      POST-ACCUM t.total = t.total + by;
  PRINT @@raised;
}`

/** Iterates over the whole graph: work for all workers, with their packed edges. */
export const ranking = `CREATE QUERY ranking(INT rounds) {
  SumAccum<DOUBLE> @received;
  SumAccum<DOUBLE> @score = 1;
  SumAccum<INT> @@count;
  S = {Item.*};
  WHILE true LIMIT rounds DO
    T = SELECT s FROM S:s -(Knows:e)- Item:t
        ACCUM t.@received += s.@score / (s.outdegree("Knows") + 1)
        POST-ACCUM t.@score = 0.15 + 0.85 * t.@received, t.@received = 0;
  END;
  C = SELECT s FROM S:s ACCUM @@count += 1;
  PRINT @@count;
}`

export const ownKnows = `CREATE QUERY own_knows(INT o) {
  SetAccum<EDGE> @@edges;
  S = {Item.*};
  T = SELECT t FROM S:s -(Knows:e)- Item:t WHERE s.owner == o ACCUM @@edges += e;
  PRINT @@edges;
}`

export const everything = `INTERPRET QUERY () FOR GRAPH ${GRAPH} {
  SumAccum<INT> @@items, @@n, @@total, @@owns, @@knows, @@visits, @@times;
  I = {Item.*};
  A = SELECT s FROM I:s ACCUM @@items += 1, @@n += s.n, @@total += s.total;
  O = {Owner.*};
  B = SELECT t FROM O:s -(Owns>:e)- Item:t ACCUM @@owns += e.weight;
  C = SELECT t FROM O:s -(Visit>:e)- Item:t ACCUM @@visits += 1, @@times += e.times;
  D = SELECT t FROM I:s -(Knows:e)- Item:t ACCUM @@knows += e.strength;
  PRINT @@items, @@n, @@total, @@owns, @@knows, @@visits, @@times;
}`
