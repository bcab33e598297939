/** Loading jobs over the files of `fixtures/csv`: what is in the graph afterwards, and what was counted. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type CsvCase, csvCases } from '../fixtures/csv-cases.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
let files: string

const gsql = async (script: string, graph = '?graph=g') =>
  (await server.request('POST', `/gsql/v1/statements${graph}`, script)).text

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'quiver-csv-'))
  server = await startServer({ filesDirectory: files, queryWorkerCount: 0 })
  const made = await gsql(
    'CREATE VERTEX SL (PRIMARY_ID id STRING, name STRING, n INT, d DOUBLE) CREATE GRAPH g (*)',
    '',
  )
  expect(made).toContain('The graph g is created.')
})
afterAll(async () => {
  await server.close()
  await rm(files, { recursive: true })
})
afterEach(async () => {
  await gsql('DROP JOB j')
  await server.request('DELETE', '/graph/g/vertices/SL')
})

const values = { 'by name': '$"id", $"name", $"n", $"d"', 'by position': '$0, $1, $2, $3' }

async function make(given: string, using: string): Promise<void> {
  const made = await gsql(`CREATE LOADING JOB j FOR GRAPH g { DEFINE FILENAME f;
    LOAD f TO VERTEX SL VALUES (${given}) USING ${using}; }`)
  expect(made).toContain('Successfully created loading jobs: [j].')
}

const usingOf = ({ separator }: Pick<CsvCase, 'separator'>) =>
  `HEADER="true", SEPARATOR="${separator === '\t' ? '\\t' : separator}", QUOTE="double"`

async function vertices(): Promise<string[]> {
  const { text } = await server.request('GET', '/graph/g/vertices/SL')
  // Numbers as they are written, for those of 64 bits.
  const exact = text.replace(/"n":(-?\d+)/g, '"n":"$1"')
  const { results } = JSON.parse(exact) as {
    results: { v_id: string; attributes: { name: string; n: string; d: number } }[]
  }
  return results.map(({ v_id, attributes: { name, n, d } }) => JSON.stringify([v_id, name, n, d]))
}

const expected = ({ rows }: CsvCase) =>
  rows.map(([id, name, n, d]) => JSON.stringify([id, name, String(n), d]))

async function rejectedLines(): Promise<number[]> {
  const told = await gsql('SHOW LOADING ERROR ALL')
  const [latest = ''] = told.split(/^g\.j\./m).slice(1)
  return [...latest.matchAll(/, line (\d+): /g)].map(([, line]) => Number(line))
}

describe.each(Object.entries(values))('columns %s', (_name, given) => {
  it.each(csvCases.map((one) => [one.name, one] as const))('%s', async (_file, one) => {
    await make(given, usingOf(one))
    await writeFile(join(files, 'in.csv'), one.text)
    expect(await gsql('RUN LOADING JOB j USING f="in.csv"')).toContain('LOAD SUCCESSFUL')
    expect(await vertices()).toEqual(expected(one))
    expect(await rejectedLines()).toEqual(one.rejected)
  })
})

describe('the same rows', () => {
  it('come out of gzip', async () => {
    for (const one of csvCases) {
      await make(values['by name'], usingOf(one))
      await writeFile(join(files, 'in.csv.gz'), gzipSync(one.text))
      await gsql('RUN LOADING JOB j USING f="in.csv.gz"')
      expect(await vertices(), one.name).toEqual(expected(one))
      await gsql('DROP JOB j')
      await server.request('DELETE', '/graph/g/vertices/SL')
    }
  })

  it('come out of a request, with its counts', async () => {
    for (const one of csvCases) {
      await make(values['by name'], usingOf(one))
      const { body } = await server.request('POST', '/restpp/ddl/g?tag=j&filename=f', one.text)
      expect(await vertices(), one.name).toEqual(expected(one))
      const { statistics } = body.results[0]
      const { vertex, edge, deleteVertex, deleteEdge, validLine, ...lines } = statistics
      const { typeName, validObject, ...objects } = vertex[0]
      expect(validObject, one.name).toBe(one.rows.length)
      const counts = Object.values({ ...lines, ...objects }) as number[]
      const rejected = counts.reduce((sum, count) => sum + count, 0)
      expect(rejected, one.name).toBe(one.rejected.length)
      await gsql('DROP JOB j')
      await server.request('DELETE', '/graph/g/vertices/SL')
    }
  })

  it('come out of a file with a row over every end of a chunk', async () => {
    const name = (row: number) => `${row} "first"\n${'x'.repeat(row % 977)},\r\nlast`
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    const count = 3_000
    const rows = Array.from(
      { length: count },
      (_, row) => `r${row},${quoted(name(row))},${row},1\n`,
    )
    await make(values['by name'], usingOf({ separator: ',' }))
    await writeFile(join(files, 'large.csv'), `id,name,n,d\n${rows.join('')}`)
    const told = await gsql('RUN LOADING JOB j USING f="large.csv"')
    expect(told).toContain(`large.csv: ${count} lines, 0 rejected`)
    const found = await vertices()
    expect(found).toHaveLength(count)
    const wanted = rows.map((_, row) => JSON.stringify([`r${row}`, name(row), String(row), 1]))
    expect(found.filter((one, row) => one !== wanted[row])).toEqual([])
  })
})

describe('quotes and separators', () => {
  it('of several characters separate, and quotes may be single', async () => {
    await make('$0, $1, $2, $3', 'SEPARATOR="|||", QUOTE="single", EOL="\\n"')
    const text = "a|||'it''s ||| so'|||1|||1.5\nb||||x|||2|||-1\n"
    await server.request('POST', '/restpp/ddl/g?tag=j&filename=f', text)
    const rows = [
      ['a', "it's ||| so", '1', 1.5],
      ['b', '|x', '2', -1],
    ]
    expect(await vertices()).toEqual(rows.map((row) => JSON.stringify(row)))
  })

  it('are data without QUOTE', async () => {
    await make('$0, $1, $2, $3', 'SEPARATOR=","')
    await server.request('POST', '/restpp/ddl/g?tag=j&filename=f', 'a,"x",1,1.5\nb,"y,2,-1\n')
    expect(await vertices()).toEqual(['["a","\\"x\\"","1",1.5]', '["b","\\"y","2",-1]'])
  })

  it('of the request hold for all lines', async () => {
    await make('$0, $1, $2, $3', 'SEPARATOR=",", QUOTE="double"')
    const url = `/restpp/ddl/g?tag=j&filename=f&sep=${encodeURIComponent('||')}&eol=${encodeURIComponent('\\\\')}`
    const { body } = await server.request('POST', url, 'a||"x\n||y"||1||1.5\\b||z||2||-1')
    expect(body.error, JSON.stringify(body)).toBe(false)
    expect(await vertices()).toEqual(['["a","x\\n||y","1",1.5]', '["b","z","2",-1]'])
  })

  it('are counted where they are damaged, and limit a run', async () => {
    await make('$0, $1, $2, $3', 'SEPARATOR=",", QUOTE="double"')
    const text = 'a,"x,1,1\nb,"y"z,2,1\nc,z,3,1\n'
    const { body } = await server.request('POST', '/restpp/ddl/g?tag=j&filename=f', text)
    expect(body.results[0].statistics).toMatchObject({
      validLine: 1,
      invalidQuote: 2,
      rejectLine: 0,
    })
    await writeFile(join(files, 'bad.csv'), text)
    const told = await gsql('RUN LOADING JOB -max_num_error 1 j USING f="bad.csv"')
    expect(told).toContain('2 errors are more than the 1 allowed.')
  })
})

describe('headers', () => {
  const run = async (header: string, given = values['by name'], using = 'HEADER="true"') => {
    await gsql('DROP JOB j')
    await server.request('DELETE', '/graph/g/vertices/SL')
    await make(given, using)
    const text = `${header}\na,x,1,1.5\nb,y,2,-1,surplus\n`
    const { body } = await server.request('POST', '/restpp/ddl/g?tag=j&filename=f', text)
    return body.error ? body.message : await vertices()
  }
  const both = ['["a","x","1",1.5]', '["b","y","2",-1]']

  it('name the columns, with blanks around them, in any order and beside others', async () => {
    expect(await run('id, name ,n\t,d')).toEqual(both)
    expect(await run('id,name,n,d,,more,')).toEqual(both)
    expect(await run('name,id,d,n', '$"id", $"name"')).toEqual([
      '["x","a","0",0]',
      '["y","b","0",0]',
    ])
  })

  it('that lack a column end the run before its first row, and name the nearest', async () => {
    expect(await run('id,nmae,n,d')).toBe(
      'The header of Online_POST has no column "name"; did you mean "nmae"?',
    )
    expect(await run('id,Name,n,d')).toContain('has no column "name"; did you mean "Name"?')
    expect(await run('id,title,n,d')).toBe(
      'The header of Online_POST has no column "name"; it has "id", "title", "n", "d".',
    )
    expect(await vertices()).toEqual([])
  })

  it('that name a column twice end the run when it is read by name', async () => {
    expect(await run('id,name,n,d,name')).toContain(
      'has the column "name" more than once; name it by its position.',
    )
    expect(await run('id,x,n,x', '$"id", $1, $"n", $3')).toEqual(both)
  })

  it('that cannot be read end the run', async () => {
    const told = await run('id,"name,n,d', values['by name'], 'HEADER="true", QUOTE="double"')
    expect(told).toBe(
      'The header of Online_POST cannot be read: it has a quote that is not closed.',
    )
  })

  it('stand in each of several files', async () => {
    await make(values['by name'], 'HEADER="true"')
    await writeFile(join(files, 'one.csv'), 'id,name,n,d\na,x,1,1.5\n')
    await writeFile(join(files, 'two.csv'), 'd,n,name,id\n-1,2,y,b\n')
    await gsql('RUN LOADING JOB j USING f="ANY:one.csv, ANY:two.csv"')
    expect(await vertices()).toEqual(both)
  })

  it.each([
    ['$"id", $"name"', '', 'the column $"id" needs HEADER="true"'],
    ['$0, $"name"', 'USING HEADER="false"', 'the column $"name" needs HEADER="true"'],
    [
      '$"id", $1',
      'USING JSON_FILE="true"',
      'lines of JSON have names and no positions such as $1.',
    ],
  ])('are needed where columns have names: %s %s', async (given, using, reason) => {
    const made = await gsql(`CREATE LOADING JOB j FOR GRAPH g { DEFINE FILENAME f;
      LOAD f TO VERTEX SL VALUES (${given}) ${using}; }`)
    expect(made).toContain(`Semantic Check Fails: ${reason}`)
  })

  it('of the job must have the columns that are read', async () => {
    const made = await gsql(`CREATE LOADING JOB j FOR GRAPH g { DEFINE FILENAME f;
      DEFINE HEADER h = "id", "nmae"; DEFINE INPUT_LINE_FILTER r = $"name" == "";
      LOAD f TO VERTEX SL VALUES ($"id") USING USER_DEFINED_HEADER="h", REJECT_LINE_RULE="r"; }`)
    expect(made).toContain(
      'Semantic Check Fails: the header h has no column "name"; did you mean "nmae"?',
    )
  })
})
