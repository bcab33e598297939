import { describe, expect, it } from 'vitest'
import type { Catalog } from '#catalog/types.ts'
import { attributes, catalogOf, edgeType, vertexType } from '../../../test/fixtures/engine.ts'
import { compileFrontEnd } from './compile.ts'

/** Words of the language that are names wherever a name stands (docs/reference/gsql.md). */
const contextual = (
  'abort by commit distinct file group insert lasthop list log map match now path per replace src ' +
  'tgt to_datetime update sample count min max sum avg date id tags target to values all any ' +
  'filter key index load job vector step vertex_type edge_type interval row time both pinned ' +
  'api batch syntax typedef_name returns raise try static query graph trim coalesce isempty ' +
  'leading trailing bag escape primary_id tuple intersection exception delete for with'
).split(' ')

/** A type named by the word, an attribute of that name on everything, and plain ones beside. */
function catalogWith(word: string) {
  const own = attributes({ a: 'INT', [word]: 'INT' })
  const vertices = [
    vertexType(1, 'V', { attributes: own }),
    vertexType(2, word, { attributes: own }),
  ]
  const edges = [
    edgeType(3, 'E', [1, 1], { attributes: own }),
    edgeType(4, word, [1, 2], { attributes: own }),
    edgeType(5, 'Back', [2, 2], { attributes: own }),
  ]
  const graphs = catalogOf(vertices, edges).graphs.map((graph) => ({ ...graph, name: word }))
  return catalogOf(vertices, edges, { graphs })
}

const bodies: Readonly<Record<string, string>> = {
  'vertex type': `
    S = {W.*}; R = SELECT s FROM W:s; R = SELECT s FROM W:s -(Back>:e)- W:t WHERE t.a > 0;
    R = SELECT t FROM V:s -(:e)- W:t; R = SELECT t FROM V:s -(:e)- (W|V):t; R = SELECT t FROM (W|V):t;`,
  attribute: `
    R = SELECT s FROM V:s -(E>:e)- :t WHERE t.W > 0 AND e.W > 1 ACCUM @@s += s.W
      POST-ACCUM s.@x = s.W HAVING s.W > 0 ORDER BY s.W LIMIT 2; PRINT R[R.W];`,
  'vertex alias': `
    R = SELECT W FROM V:W WHERE W.a > 0 ACCUM W.@x += W.a, @@s += W.a POST-ACCUM W.@x = 1
      HAVING W.a > 0 ORDER BY W.a DESC LIMIT 1;
    R = SELECT W FROM V:s -(E>:e)- :W; R = SELECT W FROM V:W -(E>:e)- V:t;
    R = SELECT W FROM V:s -(E>:e)- :W SAMPLE 2 EDGE WHERE W.a > 0;`,
  'edge alias': 'R = SELECT t FROM V:s -(E>:W)- V:t WHERE W.a > 0 ACCUM @@s += W.a;',
  'edge type': `
    R = SELECT t FROM V:s -(W>:e)- :t; R = SELECT t FROM V:s -(W:e)- :t; R = SELECT t FROM V:s -(W)- :t;
    R = SELECT t FROM V:s -((W>|E>):e)- :t; R = SELECT s FROM W:s -(<W:e)- V:t;`,
  variable: `INT W = 1, y = 2; W = W + 1; W += 2; PRINT W; IF W > 1 THEN W = 2; END;
    CASE WHEN W == 1 THEN W = 3; END; WHILE W > 1 LIMIT 2 DO W = W - 1; END; PRINT y + W, (W), -W;`,
  'vertex set': `W = {V.*}; W = SELECT s FROM W:s; W = W UNION W; PRINT W; PRINT W[W.a]; PRINT W.size();
    W = SELECT s FROM W:s -(E>)- V:t; IF W.size() > 0 THEN W (ANY) = {V.*}; END; S = {W}; S = W MINUS S;`,
  accumulator: `SumAccum<INT> @@W, @W = 1; @@W += 1; @@W = 2; PRINT @@W;
    R = SELECT s FROM V:s POST-ACCUM s.@W += 1, @@W += s.@W;`,
  local: 'R = SELECT s FROM V:s ACCUM INT W = s.a, @@s += W, W = 3, IF W > 1 THEN W += 1 END;',
  'loop variable': `FOREACH W IN RANGE[1, 2] DO PRINT W; END; ListAccum<INT> @@l; MapAccum<INT, INT> @@m;
    FOREACH W IN @@l DO PRINT W; END; FOREACH (k, W) IN @@m DO PRINT W; END;`,
  'tuple field': `TYPEDEF TUPLE<INT W, INT b> T; HeapAccum<T>(2, W DESC, b) @@h; @@h += T(1, 2);
    PRINT @@h.top().W;`,
  'pattern of V3': 'R = SELECT b FROM (W:V)-[e:E]->(b:V) WHERE W.a = 1; R = SELECT x FROM (x:W);',
  'name of a column': 'PRINT 1 AS W, 2 AS x;',
}

const header = 'SumAccum<INT> @@s; SumAccum<INT> @x;'

/** Texts in which the word stands for every kind of thing that a user names. */
function textsOf(word: string): string[] {
  const places = Object.entries(bodies).map(([what, pattern]) => {
    const syntax = what.includes('V3') ? 'SYNTAX v3' : ''
    return `CREATE QUERY q() FOR GRAPH W ${syntax} {\n${header}\n${pattern}\n}`
  })
  const texts = [
    ...places,
    'CREATE QUERY W(INT W = 1) FOR GRAPH W { PRINT W; PRINT W + 1 AS x; }',
    'CREATE QUERY q(STRING W, SET<STRING> e) { S = {W}; S = SELECT t FROM S:s -(e:x)- W:t; }',
    'CREATE QUERY q(VERTEX<W> W) { S = {W}; PRINT W, W.a; }',
  ]
  return texts.map((text) => text.replace(/\bW\b/g, word))
}

function errorsOf(text: string, catalog: Catalog): string[] {
  const { diagnostics } = compileFrontEnd(text, catalog, catalog.graphs[0]!.name)
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ place, message }) => `${place.line}:${place.column} ${message} in ${text}`)
}

describe('words of the language as names', () => {
  it.each(contextual)('%s is a name wherever a name stands', (lower) => {
    const problems = [lower, lower.toUpperCase()].flatMap((word) => {
      const catalog = catalogWith(word)
      return textsOf(word).flatMap((text) => errorsOf(text, catalog))
    })
    expect(problems).toEqual([])
  })

  it('leaves SAMPLE a clause where a number follows', () => {
    const catalog = catalogWith('sample')
    for (const pattern of ['V:s', 'V:s -(E>:e)-', 'V:s -(E>:e)- :t', 'sample']) {
      const text = `CREATE QUERY q() { R = SELECT x FROM ${pattern} SAMPLE 2 EDGE WHEN 1 > 0; }`
      expect(errorsOf(text, catalog).filter((error) => error.includes('mismatched'))).toEqual([])
    }
  })
})
