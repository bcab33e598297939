import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { optionNames, parseOptions } from './options.ts'
import { variableOf } from './settings.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'quiver-settings-'))
afterAll(() => rmSync(directory, { recursive: true }))

let count = 0
function file(content: unknown): string {
  const path = join(directory, `${++count}.json`)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const parse = (args: readonly string[], environment = {}) =>
  parseOptions(args, 2 ** 33, environment)

it('lets an argument count before a variable, a variable before the file, the file before a default', () => {
  const path = file({ port: 1, host: 'file', memory: '1g', 'allow-host': ['a', 'b'] })
  const environment = { QUIVER_CONFIG: path, QUIVER_PORT: '2', QUIVER_HOST: 'variable' }
  expect(parse(['--port', '3'], environment)).toMatchObject({
    port: 3,
    host: 'variable',
    memoryLimitBytes: 2 ** 30,
    allowedHosts: ['a', 'b'],
    logLevel: 'warn',
  })
  // A list is taken from one source.
  const { allowedHosts } = parse(['--config', path, '--allow-host', 'c'])
  expect(allowedHosts).toEqual(['c'])
})

it('begins relative paths of the file at its directory, and others where the program runs', () => {
  const path = file({ data: 'd', 'tls-cert': 'c.pem', 'tls-key': '/k.pem' })
  expect(parse(['--config', path])).toMatchObject({
    data: join(directory, 'd'),
    files: join(directory, 'd', 'files'),
    tls: { cert: join(directory, 'c.pem'), key: '/k.pem' },
  })
  expect(parse([], { QUIVER_DATA: 'd' }).data).toBe('d')
})

it('names the source of a value that is wrong', () => {
  const path = file({ port: 'x' })
  for (const [args, environment, message] of [
    [['--config', path], {}, `"port" in ${path} must be a number`],
    [[], { QUIVER_MEMORY: '1' }, 'QUIVER_MEMORY must be a size'],
    [[], { QUIVER_LOG_LEVEL: 'loud' }, 'QUIVER_LOG_LEVEL must be'],
    [[], { QUIVER_STORE: 'oracle' }, 'QUIVER_STORE oracle is not supported'],
    [[], { QUIVER_QUERY_TIMEOUT: 'x' }, 'QUIVER_QUERY_TIMEOUT must be'],
    [[], { QUIVER_CONNECTIONS: '0' }, 'QUIVER_CONNECTIONS must be'],
    [['--query-timeout-max', '1'], { QUIVER_QUERY_TIMEOUT: '2' }, 'QUIVER_QUERY_TIMEOUT must not'],
  ] as const) {
    expect(() => parse(args, environment), message).toThrow(message)
  }
})

it('refuses what the file cannot hold, and names the key that was meant', () => {
  for (const [content, message] of [
    [{ prot: 1 }, 'unknown key "prot" in'],
    [{ prot: 1 }, 'did you mean "port"?'],
    [{ '--port': 1 }, 'did you mean "port"?'],
    [{ allow_host: 'a' }, 'did you mean "allow-host"?'],
    [{ constructor: 1 }, 'unknown key "constructor"'],
    [{ config: 'a' }, 'unknown key "config"'],
    [{ help: true }, 'unknown key "help"'],
    [{ password: 'secret' }, 'the first password has a file of its own'],
    [{ port: true }, '"port" in'],
    [{ port: null }, 'must be a text or a number'],
    [{ port: [1] }, 'must be a text or a number'],
    [{ host: '' }, 'must be a text or a number'],
    [{ 'allow-host': ['a', {}] }, 'must be a text or a number, or a list of these'],
    ['[]', 'must hold an object'],
    ['null', 'must hold an object'],
    ['', 'is not JSON'],
    ['{"port": 1,}', 'is not JSON'],
  ] as const) {
    expect(() => parse(['--config', file(content)]), JSON.stringify(content)).toThrow(message)
  }
  expect(() => parse(['--config', directory])).toThrow(`--config: ${directory} is a directory`)
  const gone = join(directory, 'gone.json')
  expect(() => parse([], { QUIVER_CONFIG: gone })).toThrow(`QUIVER_CONFIG: ${gone} does not exist`)
  expect(parse(['--config', file('\uFEFF{"port":1}')]).port).toBe(1)
})

it('names the option that was meant', () => {
  for (const [args, message] of [
    [['--prot', '1'], 'unknown option --prot; did you mean --port?'],
    [['--memroy=1g'], 'unknown option --memroy; did you mean --memory?'],
    [['--log', 'info'], 'unknown option --log; did you mean --log-level?'],
    [['-p', '80'], 'unknown option -p; did you mean --port?'],
    [['--constructor'], 'unknown option --constructor; see --help'],
    [['--port'], '--port needs a value'],
    [['--port', '--host', 'a'], '--port needs a value'],
    [['--help=yes'], '--help takes no value'],
    [['--password', 'secret'], 'the first password comes from QUIVER_PASSWORD'],
  ] as const) {
    expect(() => parse(args), args.join(' ')).toThrow(message)
  }
  expect(() => parse(['--password', 'hunter2'])).not.toThrow('hunter2')
})

it('refuses variables that look like a slip, and leaves those of others alone', () => {
  expect(() => parse([], { QUIVER_PROT: '1' })).toThrow(
    'unknown environment variable QUIVER_PROT; did you mean QUIVER_PORT?',
  )
  expect(() => parse([], { QUIVER_PASSWROD: 'secret' })).toThrow('did you mean QUIVER_PASSWORD?')
  expect(() => parse([], { QUIVER_ALLOW_HOSTS: 'a' })).toThrow('did you mean QUIVER_ALLOW_HOST?')
  // What this repository uses elsewhere must not keep a server from starting.
  const found = execFileSync(
    'grep',
    ['-rhoE', 'QUIVER_[A-Z0-9_]+', 'scripts', 'e2e', 'server/test'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  const options = optionNames.map(variableOf)
  const names = found.split('\n').filter((name) => name !== '' && !options.includes(name))
  const others = Object.fromEntries(names.map((name) => [name, 'x']))
  expect(Object.keys(others).length).toBeGreaterThan(5)
  expect(parse([], { ...others, QUIVER_PORT: '', QUIVER_URL: 'x' }).port).toBe(14_240)
  // As Kubernetes sets them beside a service with this name.
  const links = {
    QUIVER_PORT: 'tcp://10.0.0.1:14240',
    QUIVER_SERVICE_HOST: '10.0.0.1',
    QUIVER_SERVICE_PORT: '14240',
    QUIVER_PORT_14240_TCP_ADDR: '10.0.0.1',
  }
  expect(parse([], links)).toMatchObject({ port: 14_240, host: '127.0.0.1' })
})

it('says where options go that npm took for itself', () => {
  const start = { npm_lifecycle_event: 'start', npm_package_name: 'quiver' }
  expect(() => parse([], { ...start, npm_config_port: '1' })).toThrow(
    'options follow --: npm start -- --port 1',
  )
  expect(() => parse([], { ...start, npm_config_query_timeout: 'true' })).toThrow(
    'options follow --: npm start -- --query-timeout',
  )
  expect(() => parse(['1'], { ...start, npm_config_port: 'true' })).toThrow(
    'options follow --: npm start -- --port 1',
  )
  const other = { ...start, npm_package_name: 'app', npm_config_port: '1' }
  expect(parse([], other).port).toBe(14_240)
  expect(parse([], { ...start, npm_config_loglevel: 'error' }).logLevel).toBe('warn')
  expect(parse([], { npm_config_port: '1' }).port).toBe(14_240)
})
