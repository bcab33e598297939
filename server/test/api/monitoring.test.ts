/** What `promtool check metrics` looks at, and that the dashboard in docs asks for nothing we lack. */
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { SharedImage } from '#storage/memory/shared-image.ts'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'
import { startShared } from '../fixtures/shared-servers.ts'

/** Gauges whose names the dashboards of the product fix, whatever linters say of them. */
const fixedNames = ['tigergraph_cpu_logical_cores_total', 'tigergraph_memory_total']

const alertsFile = new URL('../../../docs/grafana/alerts.yml', import.meta.url)
const dashboardFile = new URL('../../../docs/grafana/quiver.json', import.meta.url)

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: {
    readonly x: number
    readonly y: number
    readonly w: number
    readonly h: number
  }
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[]
}

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string }
}

const dashboard = JSON.parse(readFileSync(dashboardFile, 'utf8'))
const panels = dashboard.panels as readonly Panel[]

let server: TestServer
let text: string
let ofSeveral: readonly string[]
/** Label names of each sample name; of metrics without samples: none. */
const labelsOf = new Map<string, Set<string>>()
const typeOf = new Map<string, string>()

beforeAll(async () => {
  server = await startServer({ dataDirectory: tmpdir(), queryWorkerCount: 1 })
  await createAcme(server)
  await server.request('GET', '/query/acme/none')
  await server.request('GET', '/restpp/graph/acme/vertices/Person?limit=1')
  const accept = { accept: 'text/plain' }
  // With it the threads of queries begin.
  const query = 'INTERPRET QUERY () FOR GRAPH acme { PRINT 1; }'
  await server.request('POST', '/gsql/v1/queries/interpret?graph=acme', query)
  text = await vi.waitFor(
    async () => {
      const metrics = (await server.request('GET', '/informant/metrics', undefined, accept)).text
      expect(metrics).toContain('{thread="query-2"}')
      return metrics
    },
    { timeout: 30_000 },
  )
  const sharing = await startShared(new SharedImage(), { name: 'a' })
  const shared = (await sharing.request('GET', '/informant/metrics', undefined, accept)).text
  await sharing.close()
  // The metrics of several servers are no part of what one alone says.
  ofSeveral = namesIn(shared).filter((name) => !namesIn(text).includes(name))
  text += shared
    .split('\n')
    .filter((line) => ofSeveral.some((name) => new RegExp(`\\b${name}\\b`).test(line)))
    .map((line) => `${line}\n`)
    .join('')
  for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    typeOf.set(name as string, type as string)
  }
  for (const [, name, labels = ''] of text.matchAll(/^([a-z_]+)(?:\{(.*)\})? \S+$/gm)) {
    const known = labelsOf.get(name as string) ?? new Set()
    for (const [, label] of labels.matchAll(/(\w+)="/g)) known.add(label as string)
    labelsOf.set(name as string, known)
  }
})

const namesIn = (metrics: string) =>
  [...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name as string)
afterAll(() => server.close())

describe('metric names', () => {
  it('of servers that share a store are said by no other', () => {
    expect(ofSeveral).toHaveLength(9)
    for (const name of ofSeveral) expect(name).toMatch(/^quiver_/)
  })

  it('end in _total for counters alone, but for those that dashboards fix', () => {
    const odd = [...typeOf].filter(
      ([name, type]) => name.endsWith('_total') !== (type === 'counter'),
    )
    expect(odd.map(([name]) => name).sort()).toEqual(fixedNames)
  })

  it('carry a description, base units of our own, and nothing in capitals', () => {
    for (const name of typeOf.keys()) {
      expect(text, name).toMatch(new RegExp(`^# HELP ${name} \\S`, 'm'))
      expect(name).toMatch(/^(tigergraph|quiver|process)_[a-z0-9_]+$/)
      if (!name.startsWith('tigergraph_')) {
        expect(name).not.toMatch(/_(ms|milliseconds|minutes|mb|megabytes|kilobytes|percent)(_|$)/)
      }
    }
  })

  it('stand for histograms whose last bucket is their count', () => {
    const histograms = [...typeOf].filter(([, type]) => type === 'histogram')
    expect(histograms.map(([name]) => name)).toEqual([
      'quiver_request_duration_seconds',
      'quiver_query_queue_seconds',
      'quiver_event_loop_lag_seconds',
    ])
    const value = (sample: string, labels: string) =>
      Number(
        text.split(`\nquiver_request_duration_seconds_${sample}{${labels}} `)[1]?.split('\n')[0],
      )
    expect(value('count', 'kind="data"')).toBe(1)
    expect(value('bucket', 'le="+Inf",kind="data"')).toBe(1)
    expect(value('sum', 'kind="data"')).toBeGreaterThan(0)
  })
})

describe('the heaps of the threads', () => {
  it('are those of the main thread and of each query worker', () => {
    const used = [...text.matchAll(/^quiver_heap_used_bytes\{thread="([^"]+)"\} (\S+)$/gm)]
    expect(used.map(([, thread]) => thread)).toEqual(['main', 'query-1', 'query-2'])
    for (const [, thread, bytes] of used) {
      const limit = text.split(`quiver_heap_limit_bytes{thread="${thread}"} `)[1]?.split('\n')[0]
      expect(Number(bytes), thread).toBeGreaterThan(2 ** 20)
      expect(Number(bytes), thread).toBeLessThan(Number(limit))
    }
  })
})

describe('docs/grafana/alerts.yml', () => {
  const { groups } = parse(readFileSync(alertsFile, 'utf8'))
  const rules = groups.flatMap((group: { rules: readonly Rule[] }) => group.rules) as Rule[]

  it('has rules as Prometheus reads them, each with a name of its own and a text', () => {
    expect(rules.length).toBeGreaterThan(5)
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { alert, expr, labels, annotations, ...rest } of rules) {
      expect(alert).toMatch(/^Quiver[A-Za-z]+$/)
      expect(Object.keys(rest).filter((key) => key !== 'for')).toEqual([])
      if (rest.for !== undefined) expect(rest.for).toMatch(/^\d+m$/)
      expect(['critical', 'warning']).toContain(labels.severity)
      expect(annotations.summary).toContain('{{ $labels.instance }}')
      expect(expr.split('(').length, expr).toBe(expr.split(')').length)
    }
  })

  it('asks for metrics and labels that the server has', () => {
    for (const { alert, expr } of rules) {
      const asked = [...expr.matchAll(/\b((?:tigergraph|quiver|process)_\w+)\{([^}]*)\}/g)]
      if (alert !== 'QuiverDown') expect(asked.length, alert).toBeGreaterThan(0)
      for (const [, name, matchers] of asked) {
        const labels = labelsOf.get(name as string)
        expect(labels, `${alert}: ${name}`).toBeDefined()
        const names = [...(matchers as string).matchAll(/(\w+)(?:!?=|=~)"/g)].map(
          ([, label]) => label,
        )
        expect(names.filter((label) => label !== 'job' && !labels!.has(label as string))).toEqual(
          [],
        )
      }
    }
  })

  it('is explained rule by rule in docs/monitoring.md', () => {
    const manual = readFileSync(new URL('../../../docs/monitoring.md', import.meta.url), 'utf8')
    for (const { alert } of rules) expect(manual).toContain(`\`${alert}\``)
  })
})

describe('docs/grafana/quiver.json', () => {
  const queries = panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title, expr })),
  )

  it('asks for metrics and labels that the server has', () => {
    const asked = queries.flatMap(({ title, expr }) =>
      [...expr.matchAll(/\b((?:tigergraph|quiver|process)_\w+)(?:\{([^}]*)\})?/g)].map(
        ([, name, matchers = '']) => ({ title, name: name as string, matchers }),
      ),
    )
    expect(asked.length).toBeGreaterThanOrEqual(queries.length)
    for (const { title, name, matchers } of asked) {
      const family = typeOf.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')
      expect([...typeOf.keys()], `${title}: ${name}`).toContain(family)
      const labels = labelsOf.get(name)
      if (labels === undefined) continue
      for (const [, label] of matchers.matchAll(/(\w+)\s*(?:=~|!=|!~|=)/g)) {
        expect(['job', 'instance', ...labels], `${title}: ${name}`).toContain(label)
      }
    }
  })

  it('groups and names by labels that the server has', () => {
    const all = new Set([
      'job',
      'instance',
      'le',
      ...[...labelsOf.values()].flatMap((set) => [...set]),
    ])
    for (const { title, expr } of queries) {
      const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names]) =>
        (names as string).split(/,\s*/),
      )
      for (const label of grouped) expect([...all], title).toContain(label)
    }
  })

  it('takes rates of counters and of what only grows', () => {
    for (const { title, expr } of queries) {
      for (const [, name] of expr.matchAll(/\brate\(([a-z_]+)/g)) {
        const family = (name as string).replace(/_bucket$/, '')
        const grows = typeOf.get(family) !== 'gauge' || family === 'tigergraph_network_traffic'
        expect(grows, `${title}: ${name}`).toBe(true)
      }
    }
  })

  it('chooses data source, job and instance by variables', () => {
    const names = dashboard.templating.list.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['datasource', 'job', 'instance'])
    for (const { title, expr } of queries) {
      const metrics = expr.match(/\b(tigergraph|quiver|process)_\w+/g) ?? []
      const selected = expr.match(/job=~"\$job",instance=~"\$instance"/g) ?? []
      expect(selected.length, title).toBe(metrics.length)
    }
  })

  it('lays panels side by side, each with an id of its own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const taken = new Map<string, string>()
    for (const { title, gridPos: at } of panels) {
      expect(at.x + at.w, title).toBeLessThanOrEqual(24)
      for (let x = at.x; x < at.x + at.w; x++) {
        for (let y = at.y; y < at.y + at.h; y++) {
          expect(taken.get(`${x},${y}`), title).toBeUndefined()
          taken.set(`${x},${y}`, title)
        }
      }
    }
  })
})
