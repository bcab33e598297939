/** The compiler of the server, with its real thread. */
import { afterEach, describe, expect, it } from 'vitest'
import type { GraphView } from '#graph/view.ts'
import {
  COMPILE_INLINE_SIZE_CHARS_MAX,
  COMPILE_QUEUE_LENGTH_MAX,
  COMPILE_QUEUE_PER_USER_MAX,
  COMPILE_TIME_MS_MAX,
  PARSE_INLINE_SIZE_CHARS_MAX,
} from '#kernel/limits.ts'
import { unpackItems } from '#services/gsql/script-items.ts'
import { Compiler, type InlineRequest } from '#services/queries/compiler.ts'
import { socialEngine } from '../fixtures/social-data.ts'
import { tinySocial } from '../fixtures/tiny-social.ts'

const compilers: Compiler[] = []
const stored = new Map<string, string>()

function open(after?: (ms: number, call: () => void) => () => void): Compiler {
  const compiler = new Compiler({
    catalogue: { catalog: tinySocial },
    queryText: (name) => stored.get(name) ?? null,
    after,
  })
  compilers.push(compiler)
  return compiler
}

afterEach(async () => {
  stored.clear()
  await Promise.all(compilers.splice(0).map((compiler) => compiler.close()))
})

const compile = (text: string) =>
  ({ kind: 'compile', graph: 'social', text, typeArguments: new Map() }) as const

/** `text` with a comment that makes it as long. */
const padded = (text: string, sizeChars: number) => `${text}\n#`.padEnd(sizeChars, 'x')
const byUser = (user: string, signal?: AbortSignal) => ({ user, signal })
const everything = byUser('ada')

/** A query of so many statements. */
const statements = (count: number) =>
  `CREATE QUERY q() { INT x; ${'x = x + 1; '.repeat(count)} PRINT x; }`

/** Matches in 52,173 combinations of the types of `tiny-social.ts`. */
const wide = `CREATE QUERY wide() { SumAccum<INT> @@n; R = SELECT x FROM :s -(:e)- :t -(:f)- :u
  -(:g)- :v -(:h)- :x -(:i)- :y -(:j)- :z -(:k)- :zz ACCUM @@n += 1; PRINT @@n; }`
const chain = (hops: number) =>
  `CREATE QUERY chain() { R = SELECT s FROM Person:s ${'-(Knows)- Person '.repeat(hops)}; PRINT R; }`

describe('a pattern for which no code can be generated', () => {
  it('is refused when its query is compiled, at its SELECT', async () => {
    const compiler = open()
    const compiled = await compiler.run(compile(wide), everything)
    expect(compiled.query).toBeNull()
    const start = wide.indexOf('SELECT')
    expect(compiled.diagnostics).toMatchObject([
      { severity: 'error', query: 'wide', range: { start, end: start + 6 }, place: { line: 1 } },
    ])
    const ok = 'CREATE QUERY ok() { PRINT 1; }'
    const text = `${ok} ${wide}`
    const checked = await compiler.run({ kind: 'check', graph: 'social', text }, everything)
    expect(checked.valid).toEqual([{ name: 'ok', graph: 'social' }])
    expect(checked.diagnostics).toMatchObject([{ query: 'wide' }])
  })

  it.each([255, 256])('is allowed up to its limit: %d edges', async (hops) => {
    const { query, diagnostics } = await open().run(compile(chain(hops)), everything)
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(query).not.toBeNull()
  })

  it.each([257, 3_000])('is refused beyond its limit: %d edges', async (hops) => {
    const text = padded(chain(hops), COMPILE_INLINE_SIZE_CHARS_MAX + 1)
    const { query, diagnostics } = await open().run(compile(text), everything)
    expect(query).toBeNull()
    expect(diagnostics[0]!.message).toBe(
      `a pattern has at most 256 edges, this one has ${hops}: use several SELECT statements`,
    )
  })
})

describe('EXPLAIN, which generates the text of a query', () => {
  const explain = (view: GraphView) => ({
    ...{ kind: 'explain' as const, graph: 'social', text: 'CREATE QUERY q() { PRINT 1; }' },
    ...{ typeArguments: new Map(), view, vectors: null, statistics: null },
  })

  it('runs on the thread of the compiler', async () => {
    const compiler = open()
    const engine = await socialEngine()
    const order: string[] = []
    const explained = compiler
      .explain(() => explain(engine.view()), everything)
      .finally(() => order.push('explained'))
    const here = compiler.run(compile('CREATE QUERY q() { PRINT 1; }'), everything)
    await Promise.all([explained, here.finally(() => order.push('compiled here'))])
    expect(order).toEqual(['compiled here', 'explained'])
    expect(await explained).toHaveLength(1)
  })

  it('takes the graph that the plan describes when its turn comes', async () => {
    const compiler = open()
    const engine = await socialEngine()
    const running = compiler.run(compile(statements(500)), everything)
    let isTaken = false
    const explained = compiler.explain(() => {
      isTaken = true
      return explain(engine.view())
    }, everything)
    expect(isTaken).toBe(false)
    await running
    expect(await explained).toHaveLength(1)
  })

  it('fails alone when there is no graph to take', async () => {
    const compiler = open()
    const failing = compiler.explain(() => {
      throw new Error('no view')
    }, everything)
    await expect(failing).rejects.toThrow('no view')
    const { query } = await compiler.run(compile(statements(500)), everything)
    expect(query?.name).toBe('q')
  })
})

describe('a text', () => {
  const query =
    'CREATE QUERY q(STRING name = "a") { S = {Person.*}; PRINT S[S.name, S.age]; f(1); }'
  const requests: readonly [string, InlineRequest, number][] = [
    ['query', compile(query), COMPILE_INLINE_SIZE_CHARS_MAX],
    ['query with errors', compile('CREATE QUERY q() { PRINT y; }'), COMPILE_INLINE_SIZE_CHARS_MAX],
    [
      'text to be checked',
      { kind: 'check', graph: 'social', text: `${query} CREATE QUERY r() { PRINT 1, z; }` },
      COMPILE_INLINE_SIZE_CHARS_MAX,
    ],
    [
      'text that names graphs',
      { kind: 'graphs', graph: 'social', text: 'CREATE QUERY q() FOR GRAPH other { PRINT 1; }' },
      PARSE_INLINE_SIZE_CHARS_MAX,
    ],
    [
      'template',
      { kind: 'template', text: 'CREATE TEMPLATE QUERY p.q(INT k = 3, VERTEX v) { PRINT k; }' },
      PARSE_INLINE_SIZE_CHARS_MAX,
    ],
  ]
  for (const [name, request, limit] of requests) {
    it(`has the same result at the limit and one past it, where a thread compiles it: ${name}`, async () => {
      stored.set('f', 'CREATE QUERY f(INT x) { PRINT x; }')
      const compiler = open()
      const results = []
      for (const size of [limit - 1, limit, limit + 1]) {
        const answer = await compiler.run(
          { ...request, text: padded(request.text, size) },
          everything,
        )
        results.push(JSON.parse(JSON.stringify(answer, withoutText)))
      }
      expect(results[1]).toEqual(results[0])
      expect(results[2]).toEqual(results[0])
    })
  }

  it('reads stored queries wherever it is compiled, and tells which', async () => {
    stored.set('f', 'CREATE QUERY f(INT x) RETURNS (INT) { RETURN x; }')
    const compiler = open()
    const text = 'CREATE QUERY q() { PRINT f(1); }'
    for (const size of [text.length + 2, COMPILE_INLINE_SIZE_CHARS_MAX + 1]) {
      const reads: string[] = []
      const call = { ...everything, onRead: (name: string) => reads.push(name) }
      const { query } = await compiler.run(compile(padded(text, size)), call)
      expect(query?.calls).toEqual(['f'])
      expect(reads).toEqual(['f'])
    }
  })

  it('is compiled on the thread when what it calls is large', async () => {
    stored.set('f', padded('CREATE QUERY f() { PRINT 1; }', COMPILE_INLINE_SIZE_CHARS_MAX))
    const { query } = await open().run(compile('CREATE QUERY q() { f(); }'), everything)
    expect(query?.calls).toEqual(['f'])
  })

  it('leaves the event loop to others while it is compiled', async () => {
    const compiler = open()
    await compiler.run(compile(statements(1_000)), everything)
    let turns = 0
    let isDone = false
    const compiling = compiler.run(compile(statements(5_000)), everything).finally(() => {
      isDone = true
    })
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve))
      turns += 1
    }
    expect((await compiling).query?.name).toBe('q')
    expect(turns).toBeGreaterThan(10)
  })

  it('that nests too deep is refused in words', async () => {
    const compiler = open()
    const texts = [
      `PRINT ${'('.repeat(10_000)}1${')'.repeat(10_000)};`,
      `PRINT ${'NOT '.repeat(10_000)}true;`,
      `PRINT ${'-'.repeat(10_000)}1;`,
      `${'IF true THEN '.repeat(10_000)}PRINT 1; ${'END; '.repeat(10_000)}`,
      `PRINT 1${' + 1'.repeat(10_000)};`,
      `PRINT ${'['.repeat(10_000)};`,
    ]
    for (const body of texts) {
      const { query, diagnostics } = await compiler.run(
        compile(`CREATE QUERY q() { ${body} }`),
        everything,
      )
      expect(query, body.slice(0, 20)).toBeNull()
      expect(diagnostics[0]?.message).toMatch(/nested|more than|mismatched/)
    }
  })
})

describe('a script on the thread', () => {
  it('has the commands that it has here', async () => {
    const commands = 'LS\n@a/b.gsql ;  \nCREATE GRAPH g()\nEND\nVERSION'
    const packed = await open().run(
      { kind: 'script', text: padded(commands, PARSE_INLINE_SIZE_CHARS_MAX + 1) },
      everything,
    )
    const items = [...unpackItems(packed)].map((item) =>
      item.kind === 'command' ? item.command.kind : item.kind,
    )
    expect(items).toEqual(['ls', 'file', 'createGraph', 'end', 'version'])
  })
})

describe('texts that wait', () => {
  it('go by users, in turn', async () => {
    const compiler = open()
    const done: string[] = []
    const run = (user: string, mark: string) =>
      compiler
        .run(compile(statements(500).replace('q()', mark)), byUser(user))
        .then(() => done.push(mark))
    await Promise.all([
      run('ada', 'a1()'),
      run('ada', 'a2()'),
      run('ada', 'a3()'),
      run('bo', 'b1()'),
      run('cy', 'c1()'),
    ])
    expect(done).toEqual(['a1()', 'b1()', 'c1()', 'a2()', 'a3()'])
  })

  it('are given up when nobody waits for them, before and while they are compiled', async () => {
    const compiler = open()
    const [first, second] = [new AbortController(), new AbortController()]
    const running = compiler.run(compile(statements(5_000)), byUser('ada', first.signal))
    const waiting = compiler.run(compile(statements(5_000)), byUser('ada', second.signal))
    second.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'QUERY_ABORTED' })
    first.abort()
    await expect(running).rejects.toMatchObject({ code: 'QUERY_ABORTED' })
    const { query } = await compiler.run(compile(statements(500)), everything)
    expect(query?.name).toBe('q')
  })

  it('are refused beyond so many, and when the compiler is closed', async () => {
    const compiler = open()
    const text = statements(500)
    const ends = Array.from({ length: COMPILE_QUEUE_LENGTH_MAX + 2 }, (_, n) =>
      compiler.run(compile(text), byUser(`user${n % 5}`)).catch((error) => error.code),
    )
    // One is being compiled, so many wait.
    expect(await ends.at(-1)).toBe('UNAVAILABLE')
    await compiler.close()
    expect(new Set(await Promise.all(ends))).toEqual(new Set(['UNAVAILABLE']))
  })

  it('are refused beyond the share of their user, and others have theirs', async () => {
    const compiler = open()
    const text = statements(500)
    const ends = Array.from({ length: COMPILE_QUEUE_PER_USER_MAX + 2 }, () =>
      compiler.run(compile(text), everything).catch((error) => error.code),
    )
    expect(await ends.at(-1)).toBe('UNAVAILABLE')
    const { query } = await compiler.run(compile(text), byUser('bo'))
    expect(query?.name).toBe('q')
    await compiler.close()
    await Promise.all(ends)
  })

  it('end when their time is over, and the next one is compiled', async () => {
    const timers: (() => void)[] = []
    const compiler = open((ms, call) => {
      expect(ms).toBe(COMPILE_TIME_MS_MAX)
      timers.push(call)
      return () => undefined
    })
    const long = compiler.run(compile(statements(5_000)), everything)
    timers[0]!()
    await expect(long).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' })
    const { query } = await compiler.run(compile(statements(500)), everything)
    expect(query?.name).toBe('q')
  })
})

/** Texts and bytes differ by the comment and by where they lie. */
function withoutText(key: string, value: unknown): unknown {
  if (key === 'text' || key === 'bytes') return undefined
  if (value instanceof Set) return [...value]
  return typeof value === 'bigint' ? String(value) : value
}
