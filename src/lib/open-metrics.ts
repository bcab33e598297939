/**
 * Reads the OpenMetrics / Prometheus text format: HELP, TYPE, UNIT, labels with escapes, NaN and
 * infinities, timestamps, exemplars (skipped), `# EOF`.
 *
 * A line that does not fit is reported with its number instead of spoiling the rest.
 *
 * @see https://prometheus.io/docs/specs/om/open_metrics_spec/
 */
export interface Sample {
  /** As written, so `_total`, `_bucket`, `_sum` and `_count` are kept. */
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
  readonly value: number
  /** Epoch milliseconds, when the line carries one. */
  readonly timestampMs: number | undefined
}

export interface MetricFamily {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly unit: string
  readonly samples: readonly Sample[]
}

export interface ParsedMetrics {
  readonly families: readonly MetricFamily[]
  readonly errors: readonly { readonly line: number; readonly text: string }[]
  /** The text ended with `# EOF`, as OpenMetrics demands. */
  readonly complete: boolean
}

interface OpenFamily {
  readonly name: string
  type: string
  help: string
  unit: string
  readonly samples: Sample[]
}

const sampleLine =
  /^([a-zA-Z_:][\w:]*)(\{.*\})?[ \t]+(\S+)(?:[ \t]+(-?[\d.]+(?:[eE][+-]?\d+)?))?\s*$/
const metaLine = /^# (HELP|TYPE|UNIT) ([a-zA-Z_:][\w:]*)(?: (.*))?$/
const labelPair = /\s*([a-zA-Z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(,|$)/y
const suffix = /_(total|bucket|sum|count|created|info|gsum|gcount)$/

export function parseOpenMetrics(text: string): ParsedMetrics {
  const families = new Map<string, OpenFamily>()
  const errors: { line: number; text: string }[] = []
  let complete = false

  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    if (line === '# EOF') {
      complete = true
      break
    }
    if (line.startsWith('#')) {
      readMeta(families, line)
    } else {
      const sample = readSample(line)
      if (sample === undefined) errors.push({ line: index + 1, text: line })
      else familyOf(families, sample.name).samples.push(sample)
    }
  }
  return {
    families: [...families.values()].filter(({ samples }) => samples.length > 0),
    errors,
    complete,
  }
}

/** Other comments are allowed and mean nothing. */
function readMeta(families: Map<string, OpenFamily>, line: string): void {
  const match = metaLine.exec(line)
  if (match === null) return
  const [, keyword, name = '', rest = ''] = match
  const family = openFamily(families, name)
  if (keyword === 'TYPE') family.type = rest.trim()
  else if (keyword === 'UNIT') family.unit = rest.trim()
  else family.help = unescapeText(rest)
}

function readSample(line: string): Sample | undefined {
  const match = sampleLine.exec(withoutExemplar(line))
  if (match === null) return undefined
  const [, name = '', labelText, valueText = '', timestampText] = match
  const labels = labelText === undefined ? new Map<string, string>() : readLabels(labelText)
  const value = readValue(valueText)
  if (labels === undefined || value === undefined) return undefined
  return { name, labels, value, timestampMs: readTimestamp(timestampText) }
}

/** `value # {trace_id="…"} 0.5` ends at the mark, which may not stand inside a label's quotes. */
function withoutExemplar(line: string): string {
  const end = line.lastIndexOf(' # {')
  if (end === -1) return line
  const quotes = line.slice(0, end).replaceAll(/\\./g, '').split('"').length - 1
  return quotes % 2 === 0 ? line.slice(0, end) : line
}

function readLabels(text: string): Map<string, string> | undefined {
  const labels = new Map<string, string>()
  const inner = text.slice(1, -1).replace(/,\s*$/, '')
  labelPair.lastIndex = 0
  while (labelPair.lastIndex < inner.length) {
    const match = labelPair.exec(inner)
    if (match === null) return undefined
    labels.set(match[1]!, unescapeText(match[2]!))
  }
  return labels
}

const specialValues: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['+inf', Number.POSITIVE_INFINITY],
  ['inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
])

function readValue(text: string): number | undefined {
  const special = specialValues.get(text.toLowerCase())
  if (special !== undefined) return special
  const value = Number(text)
  return Number.isNaN(value) ? undefined : value
}

/** OpenMetrics writes seconds, the older Prometheus format milliseconds: tell by the size. */
function readTimestamp(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  return Math.abs(value) < 1e11 ? value * 1000 : value
}

function familyOf(families: Map<string, OpenFamily>, sampleName: string): OpenFamily {
  const base = sampleName.replace(suffix, '')
  return families.get(sampleName) ?? families.get(base) ?? openFamily(families, sampleName)
}

function openFamily(families: Map<string, OpenFamily>, name: string): OpenFamily {
  const known = families.get(name)
  if (known !== undefined) return known
  const family: OpenFamily = { name, type: 'unknown', help: '', unit: '', samples: [] }
  families.set(name, family)
  return family
}

const escapes: Readonly<Record<string, string>> = { n: '\n', '"': '"', '\\': '\\' }

const unescapeText = (text: string): string =>
  text.replaceAll(/\\(.)/g, (whole, letter: string) => escapes[letter] ?? whole)

/** One value by name and labels; undefined where no sample fits. */
export function sampleValue(
  metrics: ParsedMetrics,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const wanted = Object.entries(labels)
  for (const family of metrics.families) {
    for (const sample of family.samples) {
      if (sample.name !== name) continue
      if (wanted.every(([key, value]) => (sample.labels.get(key) ?? '') === value)) {
        return sample.value
      }
    }
  }
  return undefined
}

/** How a series is told apart from its siblings: `service_name=GPE, host_id=m1`. */
export const labelText = (labels: ReadonlyMap<string, string>): string =>
  [...labels].map(([name, value]) => `${name}=${value}`).join(', ')
