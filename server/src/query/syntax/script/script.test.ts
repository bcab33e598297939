import { describe, expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import type { Command } from './ast-script.ts'
import { scriptCommands } from './script.ts'

function commandsOf(text: string): Command[] {
  return [...scriptCommands(text)].map((item) => {
    if (item.kind === 'problem') throw new Error(JSON.stringify(item.problem))
    return item.command
  })
}

const one = (text: string) => {
  const commands = commandsOf(text)
  expect(commands).toHaveLength(1)
  return commands[0]!
}

describe('scripts', () => {
  it('hold several commands on one line, and noise', () => {
    const kinds = commandsOf('BEGIN USE GRAPH acme SHOW QUERY q1 LS; END exit').map((c) => c.kind)
    expect(kinds).toEqual(['begin', 'useGraph', 'show', 'ls', 'noise', 'end', 'exit'])
  })

  it('leave out what ABORT takes back, up to the BEGIN before it', () => {
    const kinds = (text: string) => commandsOf(text).map((c) => c.kind)
    expect(kinds('LS BEGIN USE GLOBAL LS ABORT VERSION')).toEqual(['ls', 'begin', 'version'])
    expect(kinds('BEGIN LS BEGIN VERSION ABORT')).toEqual(['begin', 'ls', 'begin'])
    expect(kinds('ABORT LS BEGIN VERSION')).toEqual(['ls', 'begin', 'version'])
  })

  it('refuse tag graphs by their name', () => {
    const [item] = [...scriptCommands('CREATE GRAPH t AS social:vip (Person)')]
    expect(item).toMatchObject({ kind: 'problem' })
    expect(JSON.stringify(item)).toContain('tag graphs (CREATE GRAPH … AS …) are not available')
  })

  it('give what stands in a block before what cannot be read', () => {
    const items = [...scriptCommands('BEGIN LS\nCREATE VERTEX V (id INT')]
    expect(items.map((item) => (item.kind === 'command' ? item.command.kind : item.kind))).toEqual([
      'begin',
      'ls',
      'problem',
    ])
  })

  it('read openCypher that begins with RETURN or CREATE (', () => {
    const kinds = commandsOf('CREATE (a:V {id: 1}); RETURN 1 AS x; CREATE GRAPH g(*)').map(
      (c) => c.kind,
    )
    expect(kinds).toEqual(['interpretQuery', 'interpretQuery', 'createGraph'])
  })

  it('read SHOW FUNCTION, and INSTALL QUERY -OPTIMIZE as noise', () => {
    const kinds = commandsOf('INSTALL QUERY -OPTIMIZE INSTALL QUERY * SHOW FUNCTION tg_* LS').map(
      (c) => c.kind,
    )
    expect(kinds).toEqual(['noise', 'installQuery', 'showFunction', 'ls'])
  })

  it('read a reverse edge without a name, and ends of an edge type with attributes', () => {
    const [made] = commandsOf(
      'CREATE DIRECTED EDGE E (FROM V, TO V) WITH STATS="none", REVERSE_EDGE',
    )
    const { edge } = made as Extract<Command, { kind: 'createEdge' }>
    expect([...edge.options]).toEqual([
      ['STATS', 'none'],
      ['REVERSE_EDGE', ''],
    ])
    const [job] = commandsOf(
      'CREATE SCHEMA_CHANGE JOB j { ALTER EDGE E ADD FROM (A, B) TO (C) ATTRIBUTE (w INT); ALTER EDGE E ADD FROM (C) TO (C); }',
    )
    const { steps } = job as Extract<Command, { kind: 'createSchemaJob' }>
    expect(steps).toMatchObject([
      {
        kind: 'addPairs',
        name: 'E',
        pairs: [{ from: 'A|B', to: 'C' }],
        attributes: [{ name: 'w' }],
      },
      { kind: 'addPairs', name: 'E', pairs: [{ from: 'C', to: 'C' }], attributes: [] },
    ])
  })

  it('end at what cannot be read, with its place; what stands before is given', () => {
    const [first, second, ...rest] = [...scriptCommands('LS\nCREATE VERTEX V (id INT')]
    expect(first).toMatchObject({ kind: 'command' })
    expect(second).toMatchObject({
      kind: 'problem',
      problem: { line: 2, column: 24, found: '<EOF>' },
    })
    expect(rest).toEqual([])
  })

  it('end at what is no token, but not for the text of a query', () => {
    const last = (text: string) => [...scriptCommands(text)].at(-1)
    expect(last('LS 😀')).toMatchObject({ kind: 'problem', problem: { column: 4, found: '😀' } })
    expect(last('\u0000')).toMatchObject({ kind: 'problem' })
    expect(last('CREATE GRAPH g(a 😀)')).toMatchObject({ kind: 'problem', problem: { column: 18 } })
    expect(last('CREATE QUERY q() { PRINT 😀; }')).toMatchObject({ kind: 'command' })
    expect(last('CREATE QUERY q() { PRINT 😀; } LS')).toMatchObject({ command: { kind: 'ls' } })
    const long = last(`${'x'.repeat(300_000)}`)
    expect(JSON.stringify(long).length).toBeLessThan(1_000)
  })

  it('are read to their end whatever was changed in them', () => {
    const seeds = [sample, sample.toLowerCase()]
    for (let round = 0; round < 3_000; round++) {
      const text = mutated(seeds[round % 2]!, round)
      const items = [...scriptCommands(text)]
      const problems = items.filter(({ kind }) => kind === 'problem')
      expect(problems.length, text).toBeLessThanOrEqual(1)
      if (problems.length > 0) expect(items.at(-1)?.kind).toBe('problem')
    }
  })

  it('read vertices: keys, types, defaults, options with and without commas', () => {
    expect(
      one(`CREATE VERTEX Movie (PRIMARY_ID id UINT, title STRING COMPRESS DEFAULT "x y",
        n INT(4) DEFAULT -1, m MAP<STRING, Addr>, b FIXED_BINARY(16))
        WITH primary_id_as_attribute="true" STATS="none"`),
    ).toMatchObject({
      kind: 'createVertex',
      vertex: {
        name: 'Movie',
        primaryId: { name: 'id', type: 'UINT' },
        attributes: [
          { name: 'title', type: 'STRING', defaultText: 'x y' },
          { name: 'n', type: 'INT(4)', defaultText: '-1' },
          { name: 'm', type: 'MAP<STRING,Addr>' },
          { name: 'b', type: 'FIXED_BINARY(16)' },
        ],
        options: new Map([
          ['PRIMARY_ID_AS_ATTRIBUTE', 'true'],
          ['STATS', 'none'],
        ]),
      },
    })
    expect(one('CREATE VERTEX V (a INT PRIMARY KEY, b INT)')).toMatchObject({
      vertex: { primaryId: null, attributes: [{ isPrimaryKey: true }, { isPrimaryKey: false }] },
    })
    expect(one('CREATE VERTEX V (a INT, b INT, PRIMARY KEY (b, a))')).toMatchObject({
      vertex: { key: ['b', 'a'] },
    })
  })

  it('read edges: pairs, ends of several types, discriminators', () => {
    expect(
      one(`CREATE DIRECTED EDGE E (FROM A|B, TO C | FROM *, TO *, DISCRIMINATOR(y INT, m INT),
        w FLOAT) WITH REVERSE_EDGE="reverse_E"`),
    ).toMatchObject({
      edge: {
        directed: true,
        pairs: [
          { from: 'A|B', to: 'C' },
          { from: '*', to: '*' },
        ],
        discriminator: [{ name: 'y' }, { name: 'm' }],
        attributes: [{ name: 'w' }],
        options: new Map([['REVERSE_EDGE', 'reverse_E']]),
      },
    })
    expect(one('CREATE UNDIRECTED EDGE E (FROM A, TO A)')).toMatchObject({
      edge: { directed: false, pairs: [{ from: 'A', to: 'A' }] },
    })
  })

  it('read jobs with every kind of step', () => {
    const job = one(`CREATE SCHEMA_CHANGE JOB j FOR GRAPH g {
      ADD VERTEX V (PRIMARY_ID id STRING);
      ADD UNDIRECTED EDGE E (FROM V, TO V);
      ALTER VERTEX V ADD ATTRIBUTE (y DOUBLE DEFAULT 1.5);
      ALTER VERTEX V DROP ATTRIBUTE (x, z);
      ALTER EDGE E ADD PAIR (FROM V, TO W | FROM W, TO V);
      ALTER VERTEX V ADD INDEX ix ON (y); ALTER VERTEX V DROP INDEX ix;
      DROP VERTEX V2, V3; DROP EDGE E2;
      ADD VERTEX V, W TO GRAPH h; DROP EDGE E FROM GRAPH h
    }`)
    if (job.kind !== 'createSchemaJob') throw new Error(job.kind)
    expect(job.steps.map(({ kind }) => kind)).toEqual([
      'addVertex',
      'addEdge',
      'addAttributes',
      'dropAttributes',
      'addPairs',
      'addIndex',
      'dropIndex',
      'dropTypes',
      'dropTypes',
      'membership',
      'membership',
    ])
    expect(job.text.startsWith('CREATE SCHEMA_CHANGE')).toBe(true)
    expect(job.text.endsWith('}')).toBe(true)
  })

  it('cut queries out whole, braces in texts and comments included', () => {
    const text = 'CREATE OR REPLACE QUERY q(INT a) { PRINT "}"; /* } */ IF a > 1 THEN {x} END; }'
    expect(commandsOf(`${text} INSTALL QUERY -FORCE q, r`)).toEqual([
      { kind: 'createQuery', text },
      { kind: 'installQuery', names: ['q', 'r'] },
    ])
    expect(one('INTERPRET QUERY () FOR GRAPH g { PRINT 1; }').kind).toBe('interpretQuery')
    expect(one('INSTALL QUERY *')).toEqual({ kind: 'installQuery', names: null })
  })

  it('read which calls nobody waits for', () => {
    const call = { kind: 'runQuery', name: 'q', arguments: { kind: 'positional', values: [] } }
    expect(one('RUN QUERY -ASYNC -av q()')).toEqual({ ...call, isDetached: true })
    expect(one('INTERPRET QUERY -d q()')).toEqual({ ...call, isDetached: false })
  })

  it('read calls by position and by name', () => {
    expect(one('RUN QUERY -av q(1, _, "a", true, [1, 2], ("7", "Person"), -2.5)')).toEqual({
      kind: 'runQuery',
      name: 'q',
      arguments: {
        kind: 'positional',
        values: [
          { kind: 'value', value: 1n },
          { kind: 'default' },
          { kind: 'value', value: 'a' },
          { kind: 'value', value: true },
          { kind: 'value', value: [1n, 2n] },
          { kind: 'value', value: { id: '7', type: 'Person' } },
          { kind: 'value', value: -2.5 },
        ],
      },
      isDetached: false,
    })
    expect(one('INTERPRET QUERY q({"v": {"id": "1"}, "n": 9007199254740993})')).toMatchObject({
      arguments: { kind: 'named', values: { v: { id: '1' }, n: 9007199254740993n } },
    })
  })

  it('read patterns up to the next command', () => {
    expect(commandsOf('SHOW VERTEX Per* SHOW GRAPH * SHOW QUERY LS SHOW EDGE -r "K.*"')).toEqual([
      { kind: 'show', target: 'VERTEX', pattern: { kind: 'glob', text: 'Per*' } },
      { kind: 'show', target: 'GRAPH', pattern: { kind: 'glob', text: '*' } },
      { kind: 'show', target: 'QUERY', pattern: { kind: 'all' } },
      { kind: 'ls' },
      { kind: 'show', target: 'EDGE', pattern: { kind: 'regex', text: 'K.*' } },
    ])
  })

  it('read loading jobs and their runs', () => {
    const job = one(`CREATE LOADING JOB j FOR GRAPH g {
      DEFINE FILENAME f = "/tmp/x.csv";
      DEFINE HEADER h = "id", "name";
      DEFINE INPUT_LINE_FILTER nl = to_int($1) == 0;
      LOAD f TO VERTEX V VALUES ($0, $"name", _, gsql_upper($1), "c"),
             TO EDGE E VALUES ($0 Person, ($"a","b") $1, REDUCE(max($2)))
               WHERE ($3 != "" OR $4 IS NUMERIC) AND NOT (to_int($1) + 1) * 2 BETWEEN 1 AND 5
             USING HEADER="true", SEPARATOR=",";
      LOAD f TO TEMP_TABLE t (a, b) VALUES ($0, flatten($2, "|", 1));
      LOAD TEMP_TABLE t TO EDGE E VALUES ($"a", $"b", ($"x":"y" -> $sys.file_name));
    }`)
    if (job.kind !== 'createLoadingJob') throw new Error(job.kind)
    const { loads, files, headers } = job.job
    expect(files).toEqual([{ name: 'f', path: '/tmp/x.csv' }])
    expect(headers.get('h')).toEqual(['id', 'name'])
    expect(loads.map(({ source, targets }) => [source.kind, targets.length])).toEqual([
      ['file', 2],
      ['file', 1],
      ['table', 1],
    ])
    expect(loads[0]?.targets[1]).toMatchObject({
      from: { id: [{ kind: 'position', position: 0 }], type: { text: 'Person' } },
      to: { id: [{ path: ['a'] }, { text: 'b' }], type: { position: 1 } },
      values: [{ kind: 'reduce', reducer: 'max' }],
      condition: { kind: 'and', left: { kind: 'or' }, right: { kind: 'not' } },
    })
    expect(loads[2]?.targets[0]).toMatchObject({
      values: [{ kind: 'entry', key: { path: ['x', 'y'] }, value: { kind: 'fileName' } }],
    })
    expect(one('SHOW LOADING ERROR acme.j.file.m1.5 LIMIT 3')).toEqual({
      kind: 'showLoadingErrors',
      id: 'acme.j.file.m1.5',
      limit: 3,
    })
    expect(one('SHOW LOADING ERROR ALL')).toMatchObject({ id: null, limit: null })
    expect(one('RUN JOB j')).toMatchObject({ kind: 'runLoadingJob', run: { name: 'j' } })
    expect(one('RUN LOADING JOB -n 2,5 -dryrun j USING f="/x", g, CONCURRENCY=4')).toMatchObject({
      run: {
        name: 'j',
        files: new Map([
          ['f', '/x'],
          ['g', null],
        ]),
        lines: { from: 2, to: 5 },
        isDryRun: true,
      },
    })
  })
})

describe('transfers', () => {
  it('read exports and imports with their flags', () => {
    expect(one('EXPORT GRAPH ALL TO "dir"')).toEqual({
      kind: 'exportGraph',
      graphs: null,
      flags: new Map(),
      path: 'dir',
    })
    expect(one('EXPORT GRAPH a, b -T --DATA -U -P "x" --separator "," TO "d"')).toMatchObject({
      graphs: ['a', 'b'],
      flags: new Map([
        ['template', 'true'],
        ['data', 'true'],
        ['users', 'true'],
        ['password', 'x'],
        ['separator', ','],
      ]),
    })
    expect(one('IMPORT GRAPH ALL --keep-users -P "x" FROM "d"')).toMatchObject({
      kind: 'importGraph',
      flags: new Map([
        ['keepUsers', 'true'],
        ['password', 'x'],
      ]),
    })
    expect(one('EXPORT GRAPH a --FORMAT "graphar" TO "d"')).toMatchObject({
      graphs: ['a'],
      flags: new Map([['format', 'graphar']]),
    })
    expect([...scriptCommands('EXPORT GRAPH ALL -X TO "d"')]).toMatchObject([{ kind: 'problem' }])
  })
})

describe('blocks of openCypher without a query around them', () => {
  it('end with their RETURN: another may follow, or END', () => {
    const text = `BEGIN MATCH (a:V) RETURN a LIMIT 2 MATCH (b) WITH b RETURN b.x
      UNION MATCH (c) RETURN c.x END UNWIND [1] AS x RETURN x; LS`
    const commands = commandsOf(text)
    expect(commands.map(({ kind }) => kind)).toEqual([
      ...['begin', 'interpretQuery', 'interpretQuery', 'end', 'interpretQuery', 'ls'],
    ])
    expect(commands[2]).toMatchObject({ text: expect.stringMatching(/^MATCH \(b\).*c\.x$/s) })
  })
})

describe('texts in three quotes', () => {
  it('keep quotes, backslashes and line ends as they are', () => {
    const text = `CREATE LOADING JOB j { DEFINE FILENAME f = """$s:{"a\\b":\n"c"}"""; }`
    expect(one(text)).toMatchObject({
      job: { files: [{ name: 'f', path: '$s:{"a\\b":\n"c"}' }] },
    })
  })

  it('are empty strings where no third quote follows', () => {
    const text = 'CREATE LOADING JOB j { DEFINE HEADER h = "", "a"; }'
    expect(one(text)).toMatchObject({ job: { headers: new Map([['h', ['', 'a']]]) } })
  })
})

const sample = `USE GRAPH g BEGIN CREATE VERTEX V (PRIMARY_ID id UINT, m MAP<INT, Addr> DEFAULT "x") WITH STATS="none" END
CREATE DIRECTED EDGE E (FROM A|B, TO C | FROM *, TO *, DISCRIMINATOR(y INT), w FLOAT) WITH REVERSE_EDGE="r"
CREATE SCHEMA_CHANGE JOB j { ALTER VERTEX V ADD INDEX i ON (y); ADD VERTEX V TO GRAPH h; DROP EDGE E; } RUN SCHEMA_CHANGE JOB j -N
CREATE QUERY q(INT a = 1) { IF a > 1 THEN PRINT "}"; END; } INSTALL QUERY * RUN QUERY q({"a": [1, ("x", "T")]})
CREATE LOADING JOB l { DEFINE FILENAME f = "p"; DEFINE INPUT_LINE_FILTER n = to_int($1) ^ 2 > -1;
  LOAD f TO VERTEX V VALUES ($0, REDUCE(add($"a":"b")), ($1 -> _)) WHERE NOT ($1 IS EMPTY OR $2 IN (1, "2")) USING QUOTE="double"; }
UPSERT V -(E)-> V VALUES (1, 2) SHOW VERTEX -r "a+" DROP GRAPH g CASCADE # end`

/** Drops, doubles, swaps or garbles a few places; the same for the same seed. */
function mutated(text: string, seed: number): string {
  const { below: random } = createRandom(seed)
  let result = text
  for (let change = 0; change <= seed % 4; change++) {
    const at = random(result.length)
    const end = Math.min(result.length, at + 1 + random(12))
    const piece = [
      '',
      result.slice(at, end).repeat(2),
      '"{([<\\$@#/*;,|-'[random(16)] ?? '',
      '\u{1F600}',
      text.slice(random(text.length)).slice(0, 9),
    ][random(5)]
    result = result.slice(0, at) + piece + result.slice(end)
  }
  return result
}
