import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { formatText } from './format.ts'
import { lex } from './lexer.ts'

const tokensOf = (text: string) => lex(text).tokens.map(({ kind, text: words }) => [kind, words])

const laidOut = `CREATE OR REPLACE QUERY rank(INT top = 10,
  DOUBLE damping) FOR GRAPH sample {
  // first
  TYPEDEF TUPLE <VERTEX v, DOUBLE score> Entry;
  MaxAccum<DOUBLE> @@most = 1;
  Start = {Account.*};
  WHILE @@most > 0.1 LIMIT 20 DO
    @@most = 0;
    Ranks = SELECT s
      FROM Start:s -(Transfer>:e)- Account:t
      WHERE s.balance > 0
        AND t.balance > 0
      ACCUM
        IF s == t THEN
          t.@sum += 1,
          t.@count += 1
        ELSE IF s.balance > 2 THEN
          t.@sum += CASE
            WHEN s.balance > 3 THEN 1
            ELSE
              2
          END
        END
      POST-ACCUM
        t.@sum = 0;
  END;

  PRINT Ranks[
    Ranks.name,
    Ranks.@sum
  ];
  PRINT "{ not a bracket",
    'nor ( this';
}
`

it('gives each line the depth of what it stands in', () => {
  const flat = laidOut.replaceAll(/^ +/gm, '')
  expect(formatText(flat)).toBe(laidOut)
  const ragged = laidOut.replaceAll('\n', ' \t\n\n\n').replaceAll(/^ +/gm, '\t   ')
  expect(formatText(ragged)?.replaceAll(/\n\n+/g, '\n')).toBe(laidOut.replace('\n\n', '\n'))
})

it('leaves texts and comments of several lines as they are', () => {
  const text = `INTERPRET QUERY () {
  /* drawn:
 a  --  b   
      */
  STRING s = """one
 two   
""";
}
`
  expect(formatText(text.replace('  STRING', 'STRING'))).toBe(text)
})

it('lays out openCypher by its clauses', () => {
  const text = `CREATE OPENCYPHER QUERY near() {
  MATCH (a:Account)-[:Transfer]->(b)
  WHERE a.name = 'x'
    AND CASE
      WHEN b.n > 1 THEN true
      ELSE false
    END
  RETURN a,
    b
}
`
  expect(formatText(text.replaceAll(/^ +/gm, ''))).toBe(text)
})

it('does not touch what it cannot read', () => {
  expect(formatText('PRINT "open;')).toBeNull()
})

it('changes no token of any query of the golden tests, and nothing the second time', () => {
  const folder = new URL('../../../test/queries/', import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.golden'))
  let formatted = 0
  for (const file of files) {
    for (const [, line = ''] of readFileSync(new URL(file, folder), 'utf8').matchAll(
      /^> (.*)$/gm,
    )) {
      const words = lex(line).tokens.map(({ start, end }) => line.slice(start, end))
      for (const text of [line, words.join('\n')]) {
        const once = formatText(text)
        if (once === null) continue
        formatted++
        expect(tokensOf(once), file).toEqual(tokensOf(text))
        expect(formatText(once), file).toBe(once)
      }
    }
  }
  expect(formatted).toBeGreaterThan(1_000)
})
