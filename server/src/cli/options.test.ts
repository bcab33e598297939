import { describe, expect, it } from 'vitest'
import { helpText, optionNames, parseOptions } from './options.ts'
import { variableOf } from './settings.ts'

const parse = (...args: string[]) => parseOptions(args, 8 * 2 ** 30)

describe('parseOptions', () => {
  it('serves on loopback with half of the memory unless told otherwise', () => {
    expect(parse()).toEqual({
      command: 'serve',
      path: '',
      port: 14_240,
      host: '127.0.0.1',
      data: './.quiver',
      files: '.quiver/files',
      queryFiles: '.quiver/query-files',
      exports: '.quiver/exports',
      logLevel: 'warn',
      memoryLimitBytes: 4 * 2 ** 30,
      connections: {
        connectionCountMax: 2_000,
        connectionsPerAddressMax: null,
        exemptAddresses: ['loopback'],
        trustedProxies: [],
      },
      auditFileSizeBytes: 10 * 2 ** 20,
      auditFileCount: 5,
      queryWorkerCount: null,
      queryTimeoutMs: 16_000,
      queryTimeoutMsMax: 3_600_000,
      responseSizeBytesMax: 256 * 2 ** 20,
      allowedHosts: [],
      tls: null,
      shared: null,
      target: '',
      passwordFile: null,
      consoleSettings: null,
    })
  })

  it('reads every option', () => {
    const args =
      '--port 0 --host 0.0.0.0 --data /d --files /f --store sqlite --memory 1.5g --log-level debug --allow-host a --allow-host b'
    expect(parse(...args.split(' '))).toMatchObject({
      port: 0,
      files: '/f',
      host: '0.0.0.0',
      data: '/d',
      memoryLimitBytes: 1.5 * 2 ** 30,
      logLevel: 'debug',
      allowedHosts: ['a', 'b'],
    })
    const tls = parse('--tls-cert', 'c', '--tls-key', 'k').tls
    expect(tls).toEqual({ cert: 'c', key: 'k' })
    const connections =
      '--connections 7 --connections-per-address 3 --connections-exempt none --trust-proxy 10.0.0.0/8,::1'
    expect(parse(...connections.split(' ')).connections).toEqual({
      connectionCountMax: 7,
      connectionsPerAddressMax: 3,
      exemptAddresses: [],
      trustedProxies: ['10.0.0.0/8', '::1'],
    })
    expect(parse('--audit-size', '64k', '--audit-files', '1')).toMatchObject({
      auditFileSizeBytes: 65_536,
      auditFileCount: 1,
    })
    expect(parse('--memory', '512m').memoryLimitBytes).toBe(512 * 2 ** 20)
  })

  it('reads the limits of queries', () => {
    const args =
      '--query-workers 3 --query-timeout 0.5 --query-timeout-max 60 --response-max 1.5g'.split(' ')
    expect(parse(...args)).toMatchObject({
      queryWorkerCount: 3,
      queryTimeoutMs: 500,
      queryTimeoutMsMax: 60_000,
      responseSizeBytesMax: 1.5 * 2 ** 30,
    })
    // A ceiling below the default lowers it; a default above the usual ceiling raises that.
    expect(parse('--query-timeout-max', '4')).toMatchObject({
      queryTimeoutMs: 4_000,
      queryTimeoutMsMax: 4_000,
    })
    expect(parse('--query-timeout', '7200')).toMatchObject({
      queryTimeoutMs: 7_200_000,
      queryTimeoutMsMax: 7_200_000,
    })
    expect(parse('--query-workers', '256').queryWorkerCount).toBe(256)
    for (const wrong of [
      '--query-workers 0',
      '--query-workers 257',
      '--query-workers 1.5',
      '--query-timeout 0',
      '--query-timeout x',
      '--query-timeout-max 2147484',
      '--query-timeout 9 --query-timeout-max 8',
      '--response-max 1023k',
    ]) {
      expect(() => parse(...wrong.split(' ')), wrong).toThrow('must')
    }
  })

  it('reads the commands', () => {
    expect(parse('backup', '/b', '--data', '/d')).toMatchObject({
      command: 'backup',
      path: '/b',
      data: '/d',
    })
    expect(parse('repair').command).toBe('repair')
    expect(parse('reset-password')).toMatchObject({ command: 'reset-password', path: '' })
    expect(parse('reset-password', 'ada').path).toBe('ada')
    expect(parse('serve', '--port', '1')).toMatchObject({ command: 'serve', port: 1 })
    for (const help of [['backup', '--help'], ['help'], ['help', 'backup'], ['-h']]) {
      expect(parse(...help).command, help.join(' ')).toBe('help')
    }
    for (const version of ['version', '--version', '-v'])
      expect(parse(version).command).toBe('version')
  })

  it('names what it cannot read', () => {
    for (const [args, text] of [
      [['--port', '70000'], '--port must be'],
      [['--port', 'x'], '--port must be'],
      [['--memory', '63m'], 'at least 64m'],
      [['--memory', 'lots'], 'at least 64m'],
      [['--audit-size', '63k'], '--audit-size must be'],
      [['--audit-files', '0'], '--audit-files must be'],
      [['--connections', '0'], '--connections must be'],
      [['--connections', '1e3'], '--connections must be'],
      [['--trust-proxy', 'proxy.example'], '--trust-proxy must be'],
      [['--connections-exempt', '10.0.0.0/33'], '--connections-exempt must be'],
      [['--connections-per-address', '0'], '--connections-per-address must be'],
      [['--log-level', 'loud'], '--log-level must be'],
      [['--store', 'oracle'], 'not supported'],
      [['--tls-cert', 'c'], 'must be given together'],
      [['--tls-key', 'k'], 'must be given together'],
      [['--colour'], 'unknown option --colour; see --help'],
      [['dance'], "unknown command 'dance'; see --help"],
      [['bakup', '/b'], "unknown command 'bakup'; did you mean backup?"],
      [['restore'], 'needs a directory'],
      [['repair', 'a'], "repair does not take 'a'"],
      [['copy'], 'needs what to copy'],
      [['copy', 'a', 'b', 'c'], "copy does not take 'c'"],
      [['--store', 'postgres://u:secret@h/d'], 'must not hold a password'],
      [['--store', 'postgres://h/d'], 'names no user'],
      [['--store', 'postgres://u@h/d?sslmode=require'], 'sslmode must be verify-full'],
      [['--store', 'postgres://u@h/d?schema=a;b'], 'schema must be a name'],
      [['--store', 'postgres://u@h/d', '--takeover-after', '1'], 'must be at least 1.5'],
      [['--store', 'postgres://u@h/d', '--advertise', 'h:1'], '--advertise must be like'],
      [['--store', 'postgres://u@h/d', '--name', 'a b'], '--name must be letters'],
      [['backup', 'a', 'b'], "backup does not take 'b'"],
      [['serve', '8080'], "serve does not take '8080'"],
    ] as const) {
      expect(() => parse(...args), args.join(' ')).toThrow(text)
    }
  })

  it('reads where a shared store is, and how this server takes part', () => {
    const url = 'postgres://ada@h1,h2:6432,[::1]/graphs?schema=one'
    const { shared } = parseOptions(['--store', url, '--port', '7', '--name', 'n1'], 2 ** 30, {
      PGPASSWORD: 'secret',
    })
    expect(shared).toEqual({
      address: {
        hosts: [
          { host: 'h1', port: 5432 },
          { host: 'h2', port: 6432 },
          { host: '::1', port: 5432 },
        ],
        user: 'ada',
        password: 'secret',
        database: 'graphs',
        schema: 'one',
        tls: { caPath: null },
      },
      name: 'n1',
      advertise: 'http://127.0.0.1:7',
      takeoverAfterMs: 5_000,
      writeWaitMs: 10_000,
      maxStalenessMs: 300_000,
    })
    const local = parse('--store', 'postgres://ada@localhost/graphs').shared
    expect(local?.address).toMatchObject({ password: null, tls: null, schema: 'quiver' })
  })

  it('documents every option', () => {
    const documented = [...helpText.matchAll(/^ {2}--([a-z-]+)/gm)].map((match) => match[1])
    expect(documented.toSorted()).toEqual([...optionNames].toSorted())
  })

  it('takes each option with a value from the environment, too', () => {
    const values: Record<string, string> = {
      port: '1',
      host: 'h',
      'allow-host': 'a, b',
      data: '/d',
      files: '/f',
      'query-files': '/q',
      exports: '/e',
      store: 'postgres://u@h/d',
      name: 'n',
      advertise: 'http://a:1',
      'takeover-after': '2',
      'write-wait': '3',
      'max-staleness': '4',
      memory: '1g',
      'query-workers': '2',
      'query-timeout': '3',
      'query-timeout-max': '4',
      'response-max': '5m',
      connections: '6',
      'connections-per-address': '5',
      'connections-exempt': '::1, 10.0.0.0/8',
      'trust-proxy': '10.0.0.1',
      'audit-size': '7m',
      'audit-files': '8',
      'console-settings': '/c',
      'log-level': 'info',
      'password-file': '/p',
      'tls-cert': '/tc',
      'tls-key': '/tk',
    }
    const environment = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [variableOf(name), value]),
    )
    const args = Object.entries(values).flatMap(([name, value]) =>
      value.split(', ').flatMap((one) => [`--${name}`, one]),
    )
    // It excludes --store.
    const others = ['config', 'help', 'version', 'store-file']
    expect([...Object.keys(values), ...others].toSorted()).toEqual([...optionNames].toSorted())
    expect(parseOptions([], 2 ** 30, environment)).toEqual(parseOptions(args, 2 ** 30))
  })
})
