import { describe, expect, it } from 'vitest'
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
    expect(kinds).toEqual(['noise', 'useGraph', 'show', 'ls', 'noise', 'noise', 'exit'])
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
