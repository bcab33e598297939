import { describe, expect, it } from 'vitest'
import { labelText, parseOpenMetrics, sampleValue } from './open-metrics.ts'

const text = String.raw`# HELP tigergraph_memory_total Total memory, in \"MB\" with a \\ and\na break
# TYPE tigergraph_memory_total gauge
# UNIT tigergraph_memory_total megabytes
tigergraph_memory_total{host_id="m1",service_name=""} 32092
# a free comment
# TYPE quiver_requests counter
quiver_requests_total{path="/a b",say="he said \"hi\", # {x}\n"} 17 1700000000.5
quiver_requests_total 3 # {trace_id="abc"} 0.5
# TYPE latency histogram
latency_bucket{le="+Inf"} 4
latency_sum 1.5e-3
latency_count 4
odd NaN
high +Inf
low -Inf
old 1 1700000000000
# EOF
ignored 1`

describe('parseOpenMetrics', () => {
  const metrics = parseOpenMetrics(text)
  const family = (name: string) => metrics.families.find((entry) => entry.name === name)

  it('reads type, unit and unescaped help', () => {
    expect(family('tigergraph_memory_total')).toMatchObject({
      type: 'gauge',
      unit: 'megabytes',
      help: 'Total memory, in "MB" with a \\ and\na break',
    })
  })

  it('reads labels with quotes, commas, marks and breaks inside', () => {
    expect([...family('quiver_requests')!.samples[0]!.labels]).toEqual([
      ['path', '/a b'],
      ['say', 'he said "hi", # {x}\n'],
    ])
  })

  it('puts the samples of a counter and a histogram under their family', () => {
    expect(family('quiver_requests')!.samples).toHaveLength(2)
    expect(family('latency')!.samples.map(({ name }) => name)).toEqual([
      'latency_bucket',
      'latency_sum',
      'latency_count',
    ])
  })

  it('skips exemplars and keeps the value', () => {
    expect(family('quiver_requests')!.samples[1]!.value).toBe(3)
  })

  it('reads NaN, infinities and exponents', () => {
    expect(sampleValue(metrics, 'odd')).toBeNaN()
    expect(sampleValue(metrics, 'high')).toBe(Number.POSITIVE_INFINITY)
    expect(sampleValue(metrics, 'low')).toBe(Number.NEGATIVE_INFINITY)
    expect(sampleValue(metrics, 'latency_sum')).toBe(0.0015)
  })

  it('reads timestamps in seconds and in milliseconds', () => {
    expect(family('quiver_requests')!.samples[0]!.timestampMs).toBe(1_700_000_000_500)
    expect(family('old')!.samples[0]!.timestampMs).toBe(1_700_000_000_000)
  })

  it('stops at # EOF and says that it came', () => {
    expect(metrics.complete).toBe(true)
    expect(family('ignored')).toBeUndefined()
    expect(parseOpenMetrics('a 1\n').complete).toBe(false)
  })

  it('names the lines it could not read and keeps the others', () => {
    const broken = parseOpenMetrics('a 1\nb{x=unquoted} 2\nc{y="open 3\nd four\ne 5\n')
    expect(broken.errors.map(({ line }) => line)).toEqual([2, 3, 4])
    expect(broken.families.map(({ name }) => name)).toEqual(['a', 'e'])
  })

  it('finds a sample by its labels; an absent label counts as empty', () => {
    expect(sampleValue(metrics, 'tigergraph_memory_total', { host_id: 'm1' })).toBe(32092)
    expect(sampleValue(metrics, 'tigergraph_memory_total', { host_id: 'm2' })).toBeUndefined()
    expect(sampleValue(metrics, 'odd', { service_name: '' })).toBeNaN()
  })

  it('reads back what it would write, for any label text', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const value = randomText(seed)
      const escaped = value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
      const parsed = parseOpenMetrics(`m{l="${escaped}",k="v"} ${seed}\n# EOF\n`)
      expect(parsed.errors, `seed ${seed}`).toEqual([])
      expect(parsed.families[0]!.samples[0]!.labels.get('l'), `seed ${seed}`).toBe(value)
      expect(parsed.families[0]!.samples[0]!.value).toBe(seed)
    }
  })
})

it('labelText joins labels', () => {
  expect(
    labelText(
      new Map([
        ['a', '1'],
        ['b', ''],
      ]),
    ),
  ).toBe('a=1, b=')
})

function randomText(seed: number): string {
  const letters = ['a', '"', '\\', '\n', ',', '{', '}', ' # {', '=', 'é', ' ']
  let state = seed * 2_654_435_761
  let text = ''
  for (let index = 0; index < seed % 12; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    text += letters[state % letters.length]!
  }
  return text
}
