/** The five components that the version report names, each with what its metric says of it. */
import { type ParsedMetrics, sampleValue } from '#lib/open-metrics.ts'

interface ComponentState {
  readonly name: string
  readonly version: string
  readonly hash: string
  readonly status: 'success' | 'warning' | 'danger' | 'neutral'
  readonly text: string
}

interface Version {
  readonly name: string
  readonly version: string
  readonly hash: string
}

/** The numbers of `tigergraph_service_status`. */
const states: ReadonlyMap<number, Pick<ComponentState, 'status' | 'text'>> = new Map([
  [6, { status: 'success', text: 'online' }],
  [9, { status: 'warning', text: 'warming up' }],
  [12, { status: 'warning', text: 'read-only' }],
  [15, { status: 'warning', text: 'starting' }],
  [18, { status: 'warning', text: 'paused' }],
  [21, { status: 'warning', text: 'stopping' }],
  [24, { status: 'danger', text: 'offline' }],
  [27, { status: 'danger', text: 'down' }],
])

const unknown = { status: 'neutral', text: 'unknown' } as const
const shown = ['gse', 'gpe', 'restpp', 'gsql', 'ifm']

export function componentStates(
  versions: readonly Version[],
  metrics: ParsedMetrics | undefined,
): readonly ComponentState[] {
  const wanted = versions.filter(({ name }) => shown.includes(name.toLowerCase()))
  return (wanted.length > 0 ? wanted : versions).map(({ name, version, hash }) => {
    const service = name.toUpperCase()
    const value =
      metrics === undefined
        ? undefined
        : sampleValue(metrics, 'tigergraph_service_status', { service_name: service })
    const state = value === undefined ? undefined : states.get(value)
    return { name: service, version, hash, ...(state ?? unknown) }
  })
}
