/**
 * Loads the open data sets through the public interface and reads back their `expected.json`.
 *
 *     node server/tools/load-data.ts [--url http://127.0.0.1:14240 --user name --password word]
 *         [--data ../shared/data] [--batch 2000] [name …]
 *
 * Without `--url` a server over a store in memory is started on a free port. Without names all
 * four are loaded. Ends with 1 when anything differs.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { realClock } from '../test/fixtures/engine.ts'
import { startServer, type TestClock } from '../test/fixtures/server.ts'
import { type Call, loadDataSet } from './data-set.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    user: { type: 'string', default: 'tigergraph' },
    password: { type: 'string', default: 'tigergraph' },
    data: { type: 'string', default: '../shared/data' },
    batch: { type: 'string', default: '2000' },
  },
})
const names =
  positionals.length > 0 ? positionals : ['openflights', 'football', 'movies', 'biogrid']
const ownServer =
  values.url === undefined ? await startServer({ clock: realClock as TestClock }) : null
const baseUrl = values.url ?? (await ownServer!.listen())
const authorization = `Basic ${Buffer.from(`${values.user}:${values.password}`).toString('base64')}`

const call: Call = async (method, path, body) => {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { authorization },
    ...(body !== undefined && { body }),
  })
  return response.text()
}

let hasDifferences = false
for (const name of names) {
  const directory = resolve(join(values.data, name))
  if (!existsSync(directory)) throw new Error(`there is no ${directory}`)
  const report = await loadDataSet(call, directory, Number(values.batch))
  const rate = (report.vertexCount + report.edgeCount) / (report.durationMs / 1_000)
  console.log(
    `${name}: ${report.vertexCount} vertices, ${report.edgeCount} edges in ${(report.durationMs / 1_000).toFixed(1)} s ` +
      `(${Math.round(rate).toLocaleString()}/s, converter included)`,
  )
  for (const difference of report.differences) console.log(`  differs: ${difference}`)
  hasDifferences ||= report.differences.length > 0
}
await ownServer?.close()
process.exitCode = hasDifferences ? 1 : 0
