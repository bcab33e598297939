/** No query ends the server, however it tries to use up its memory. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AttackedServer } from '../fixtures/attacked-server.ts'
import { attacks } from '../fixtures/query-attacks.ts'

/** Some attacks go on until their time is over: here they get little of it. */
const TIMEOUT_MS = 250
/** The program itself, and a heap for each of its threads. */
const RSS_MB_MAX = 1_200
/** Ends of a query that are its own: none of them says that its worker was lost. */
const OWN_ENDS = [
  'answer',
  'SYS-0002',
  'REST-3000',
  'REST-4000',
  'GSQL-2010',
  'GSQL-2601',
  'GSQL-5101',
]

const directory = mkdtempSync(join(tmpdir(), 'quiver-attacks-'))
let server: AttackedServer

beforeAll(async () => {
  server = await AttackedServer.start(directory, ['--memory', '256m'])
  await server.fill(500)
})

afterAll(async () => {
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
})

it('knows many attacks', () => {
  expect(attacks.length).toBeGreaterThanOrEqual(40)
})

it.each(attacks)('survives $name', async (attack) => {
  const { end, message, rssMb } = await server.attack(attack, TIMEOUT_MS)
  expect(OWN_ENDS, message).toContain(end)
  expect(server.isAlive).toBe(true)
  expect(rssMb).toBeLessThan(RSS_MB_MAX)
})

it('answers as before afterwards', async () => {
  const { end } = await server.attack({ name: 'none', body: 'PRINT 1;' }, 60_000)
  expect(end).toBe('answer')
})
