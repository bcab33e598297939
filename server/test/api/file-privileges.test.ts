/**
 * Every way by which a user names a file, with and without the privilege that it takes: READ_FILE
 * and WRITE_FILE are privileges of a graph.
 */
import { existsSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type FileServer,
  type FileUser,
  fileUsers,
  loadingJob,
  queryOfG,
  startFileServer,
} from '../fixtures/file-server.ts'
import type { Answer } from '../fixtures/server.ts'

let files: FileServer
const place = (path: string) => files.place(path)
const send: FileServer['send'] = (...call) => files.send(...call)
const script: FileServer['script'] = (...call) => files.script(...call)
const interpret: FileServer['interpret'] = (...call) => files.interpret(...call)

beforeAll(async () => {
  files = await startFileServer()
})
afterAll(() => files.close())

interface Way {
  readonly name: string
  readonly needs: 'READ_FILE' | 'WRITE_FILE'
  run(user: FileUser): Promise<Answer>
}

let count = 0
const fresh = (name: string) => `${name}${++count}`

const ways: readonly Way[] = [
  {
    name: 'FILE object',
    needs: 'WRITE_FILE',
    run: (user) => interpret(user, queryOfG('FILE f ("a.csv"); f.println("x");')),
  },
  {
    name: 'FILE object that is only opened',
    needs: 'WRITE_FILE',
    run: (user) => interpret(user, queryOfG('FILE f ("a.csv"); PRINT 1;')),
  },
  {
    name: 'println in ACCUM',
    needs: 'WRITE_FILE',
    run: (user) =>
      interpret(
        user,
        queryOfG('FILE f ("a.csv"); S = {V.*}; S = SELECT s FROM S:s ACCUM f.println(s);'),
      ),
  },
  {
    name: 'PRINT TO_CSV',
    needs: 'WRITE_FILE',
    run: (user) => interpret(user, queryOfG('PRINT 1 TO_CSV "a.csv";')),
  },
  {
    name: 'PRINT of a vertex set TO_CSV',
    needs: 'WRITE_FILE',
    run: (user) => interpret(user, queryOfG('S = {V.*}; PRINT S TO_CSV "a.csv";')),
  },
  {
    name: 'an installed query of somebody else, over HTTP',
    needs: 'WRITE_FILE',
    run: (user) => send(user, 'GET', '/restpp/query/g/writes?path=a.csv'),
  },
  {
    name: 'an installed query that calls one that writes',
    needs: 'WRITE_FILE',
    run: (user) => send(user, 'GET', '/restpp/query/g/outer_writes?path=a.csv'),
  },
  {
    name: 'RUN QUERY in a script',
    needs: 'WRITE_FILE',
    run: (user) => script(user, 'USE GRAPH g\nRUN QUERY writes("a.csv")'),
  },
  {
    name: 'INTERPRET QUERY in a script',
    needs: 'WRITE_FILE',
    run: (user) => script(user, `USE GRAPH g\n${queryOfG('FILE f ("a.csv"); f.println("x");')}`),
  },
  {
    name: 'PROFILE',
    needs: 'WRITE_FILE',
    run: (user) =>
      send(user, 'POST', '/quiver/v1/queries/profile?graph=g', {
        text: queryOfG('PRINT 1 TO_CSV "a.csv";'),
      }),
  },
  {
    name: 'LOADACCUM',
    needs: 'READ_FILE',
    run: (user) =>
      interpret(
        user,
        queryOfG(
          'MapAccum<STRING, INT> @@m; @@m = { LOADACCUM("own.csv", $0, $1, ",", false) }; PRINT @@m;',
        ),
      ),
  },
  {
    name: 'SelectVertex',
    needs: 'READ_FILE',
    run: (user) =>
      interpret(user, queryOfG('S = SelectVertex("own.csv", $0, V, ",", false); PRINT S;')),
  },
  {
    name: 'RUN LOADING JOB … USING f="…"',
    needs: 'READ_FILE',
    run: (user) => script(user, 'USE GRAPH g\nRUN LOADING JOB free USING f="in.csv"'),
  },
  {
    name: 'RUN LOADING JOB with another file than its own',
    needs: 'READ_FILE',
    run: (user) => script(user, 'USE GRAPH g\nRUN LOADING JOB fixed USING f="sources/in.csv"'),
  },
  {
    name: 'RUN LOADING JOB … USING a data source',
    needs: 'READ_FILE',
    run: (user) => script(user, 'USE GRAPH g\nRUN LOADING JOB free USING f="$src:in.csv"'),
  },
  {
    name: 'SET sys.data_root for a job that leaves it open',
    needs: 'READ_FILE',
    run: (user) =>
      script(user, 'USE GRAPH g\nSET sys.data_root = "."\nRUN LOADING JOB rooted USING f'),
  },
  {
    name: 'running a loading job over HTTP',
    needs: 'READ_FILE',
    run: (user) =>
      send(user, 'POST', '/gsql/v1/loading-jobs/run?graph=g', {
        name: 'free',
        dataSources: [{ filename: 'f', path: 'in.csv' }],
      }),
  },
  {
    name: 'CREATE LOADING JOB that names its file',
    needs: 'READ_FILE',
    run: (user) =>
      script(user, `USE GRAPH g\n${loadingJob(fresh('j'), 'DEFINE FILENAME f="in.csv";')}`),
  },
  {
    name: 'creating a loading job over HTTP',
    needs: 'READ_FILE',
    run: (user) =>
      send(
        user,
        'POST',
        '/gsql/v1/loading-jobs?graph=g',
        loadingJob(fresh('j'), 'DEFINE FILENAME f="in.csv";'),
      ),
  },
  {
    name: 'replacing a loading job over HTTP',
    needs: 'READ_FILE',
    run: (user) =>
      send(
        user,
        'PUT',
        '/gsql/v1/loading-jobs?graph=g',
        loadingJob('fixed', 'DEFINE FILENAME f="in.csv";'),
      ),
  },
  {
    name: 'sample-data',
    needs: 'READ_FILE',
    run: (user) =>
      send(user, 'POST', '/gsql/v1/sample-data', { graphName: 'g', path: 'in.csv', size: 1 }),
  },
  {
    name: 'sample-data of a data source',
    needs: 'READ_FILE',
    run: (user) =>
      send(user, 'POST', '/gsql/v1/sample-data', {
        graphName: 'g',
        dataSource: 'src',
        path: 'in.csv',
      }),
  },
  {
    name: 'list-files',
    needs: 'READ_FILE',
    run: (user) => send(user, 'GET', '/gsql/v1/list-files/src?graph=g'),
  },
  {
    name: 'the file of a data source’s config',
    needs: 'READ_FILE',
    run: (user) => script(user, `CREATE DATA_SOURCE ${fresh('s')} = "@source.json" FOR GRAPH g`),
  },
]

const isRefused = ({ text }: Answer) => /does not have the privilege (READ|WRITE)_FILE/.test(text)
/** Scripts tell of an error in their text. */
const isDone = ({ status, text }: Answer) =>
  status === 200 &&
  !/"error":\s*true|does not|denied|fail|error/i.test(text.replace(/"error":\s*false/g, ''))

const mayUse = (user: FileUser, { needs }: Way) =>
  user === 'both' || user === (needs === 'READ_FILE' ? 'reader' : 'writer')

describe.each(fileUsers)('a user with the file privileges of "%s"', (user) => {
  it.each(ways)('may use $name only with $needs', async (way) => {
    rmSync(place('query-files/g/a.csv'), { force: true })
    const answer = await way.run(user)
    const what = `${answer.status} ${answer.text}`
    if (mayUse(user, way)) expect(isDone(answer), what).toBe(true)
    else {
      expect(isRefused(answer), what).toBe(true)
      expect(existsSync(place('query-files/g/a.csv'))).toBe(false)
    }
  })
})

describe('without a privilege of files', () => {
  it('a query that declares a file and names none runs', async () => {
    const text = queryOfG('FILE f (""); IF 1 > 2 THEN f.println("x"); END; PRINT 1;')
    expect((await interpret('neither', text)).body).toMatchObject({ error: false })
    const { body } = await send('neither', 'GET', '/restpp/query/g/writes?path=')
    expect(body).toMatchObject({ error: false })
  })

  it('a loading job reads the file that its text names', async () => {
    const answer = await script('neither', 'USE GRAPH g\nRUN LOADING JOB fixed')
    expect(answer.text).toContain('LOAD SUCCESSFUL')
  })

  it('data that comes with the request is loaded', async () => {
    const { body } = await send('neither', 'POST', '/restpp/ddl/g?tag=free&filename=f', 'z,1\n')
    expect(body).toMatchObject({ error: false })
  })
})

describe('files of the whole server', () => {
  const globally: readonly [string, () => Promise<Answer>][] = [
    ['@script.gsql', () => script('both', '@run.gsql')],
    ['the server log', () => send('both', 'GET', '/quiver/v1/log')],
    [
      'sample-data without a graph',
      () => send('both', 'POST', '/gsql/v1/sample-data', { path: 'in.csv' }),
    ],
    ['PUT of ExprFunctions', () => send('both', 'PUT', '/gsql/v1/udt/files/ExprFunctions', 'x')],
    ['EXPORT GRAPH', () => script('both', 'EXPORT GRAPH ALL TO "mine"')],
    ['IMPORT GRAPH', () => script('both', 'IMPORT GRAPH ALL FROM "mine"')],
    ['db-export', () => send('both', 'POST', '/gsql/v1/db-export', { path: 'mine' })],
    ['db-import', () => send('both', 'POST', '/gsql/v1/db-import', { path: 'mine' })],
    [
      'the export of one graph',
      () => send('both', 'POST', '/quiver/v1/graphs/g/export', { path: 'mine', format: 'csv' }),
    ],
  ]

  it.each(globally)('%s takes more than the privileges of one graph', async (_name, run) => {
    expect((await run()).text).toContain('does not have the privilege')
  })
})
