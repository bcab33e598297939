/** The pure part of a chart: what is drawn, its scale, its words. */
export interface ChartSeries {
  readonly id: string
  readonly label: string
  /** Null is a gap, never zero. */
  readonly values: readonly (number | null)[]
  /** `area` series are stacked upon each other. */
  readonly look?: 'line' | 'area' | 'dots'
}

interface ChartMarker {
  /** Epoch seconds. */
  readonly at: number
  readonly text: string
}

export interface TimePart {
  readonly from: number
  readonly to: number
}

export interface ChartModel {
  readonly label: string
  /** Epoch seconds, ascending. */
  readonly times: readonly number[]
  readonly series: readonly ChartSeries[]
  readonly format: (value: number) => string
  readonly formatTime: (seconds: number) => string
  readonly scale?: 'linear' | 'log'
  /** 1024 for sizes in bytes. */
  readonly base?: 1000 | 1024
  readonly markers?: readonly ChartMarker[]
  /** A line across at a value that is not to be exceeded. */
  readonly limit?: { readonly value: number; readonly text: string } | undefined
  /** A part of the time that stays marked, in epoch seconds; what lies outside is cut off. */
  readonly marked?: TimePart | undefined
  /** Epoch seconds; called with the time under a click. */
  readonly onPick?: (seconds: number) => void
  /** Epoch seconds; called with both ends of a part that was marked by dragging. */
  readonly onBrush?: (from: number, to: number) => void
}

const SERIES_COLORS = 6

/** Lines differ by dash as well as by colour. */
const dashes = ['', '6 3', '2 3', '8 3 2 3', '1 3', '10 4']

export const seriesColor = (index: number): string => `var(--q-c${(index % SERIES_COLORS) + 1})`
export const seriesDash = (index: number): string => dashes[index % dashes.length]!

/** Ends of an axis, as multiples of a power of the base, with the distance between its ticks. */
const niceSteps = [
  [1, 0.25],
  [1.5, 0.5],
  [2, 0.5],
  [3, 1],
  [4, 1],
  [5, 1],
  [6, 2],
  [8, 2],
  [10, 2.5],
] as const

interface NiceScale {
  readonly top: number
  readonly ticks: readonly number[]
}

/**
 * The next round end above a value and its even ticks: the axis moves in steps and does not
 * breathe. Sizes in bytes count in powers of 1024 before those of ten.
 */
export function niceScale(value: number, base: 1000 | 1024 = 1000): NiceScale {
  if (!(value > 0)) return { top: 1, ticks: [0, 1] }
  const unit = base === 1024 ? 1024 ** Math.max(0, Math.floor(Math.log2(value) / 10)) : 1
  const power = unit * 10 ** Math.floor(Math.log10(value / unit))
  const [end, step] = niceSteps.find(([limit]) => value / power <= limit) ?? [10, 2.5]
  const count = Math.round(end / step)
  const ticks = Array.from({ length: count + 1 }, (_, index) => index * step * power)
  return { top: end * power, ticks }
}

function niceFloor(value: number): number {
  if (!(value > 0)) return 0.1
  return 10 ** Math.floor(Math.log10(value))
}

/** The largest value drawn: areas add up, lines and dots do not. */
export function topOf(series: readonly ChartSeries[], length: number): number {
  let top = 0
  for (let index = 0; index < length; index++) {
    let stacked = 0
    for (const { look, values } of series) {
      const value = values[index] ?? 0
      if (look === 'area') stacked += value
      else top = Math.max(top, value)
    }
    top = Math.max(top, stacked)
  }
  return top
}

interface Axis {
  readonly domain: readonly [number, number]
  readonly ticks: readonly number[]
}

/** Zero-based; a logarithmic axis spans whole powers of ten. */
export function axisOf(model: ChartModel): Axis {
  const highest = Math.max(topOf(model.series, model.times.length), model.limit?.value ?? 0)
  if (model.scale !== 'log') {
    const { top, ticks } = niceScale(highest, model.base)
    return { domain: [0, top], ticks }
  }
  const known = model.series.flatMap(({ values }) =>
    values.filter((value): value is number => value !== null && value > 0),
  )
  const low = niceFloor(Math.min(...known, highest))
  const ticks = [low]
  while (ticks.at(-1)! < highest) ticks.push(ticks.at(-1)! * 10)
  return { domain: [low, ticks.at(-1)!], ticks }
}

/** Distances between time ticks in seconds, all of which divide an hour or a day. */
const timeSteps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
]

/** Round times between two others, about `count` of them; both in epoch seconds. */
export function timeTicks(from: number, to: number, count: number): readonly number[] {
  const wanted = (to - from) / Math.max(1, count)
  const step = timeSteps.find((candidate) => candidate >= wanted) ?? 86_400
  const first = Math.ceil(from / step) * step
  const length = Math.max(0, Math.floor((to - first) / step) + 1)
  return Array.from({ length }, (_, index) => first + index * step)
}

/** What is seen of the marked part: an axis ends at the last time that has a value. */
export function partInView({ marked, times }: ChartModel): TimePart | null {
  if (marked === undefined) return null
  const from = Math.max(marked.from, times[0] ?? 0)
  const to = Math.min(marked.to, times.at(-1) ?? 0)
  return from < to ? { from, to } : null
}

/** Values between two gaps: a line has no length there, and they would not be seen. */
export function isolated(values: readonly (number | null)[]): readonly (number | null)[] {
  const isGap = (index: number) => (values[index] ?? null) === null
  return values.map((value, index) => (isGap(index - 1) && isGap(index + 1) ? value : null))
}

export const isEmptyChart = ({ series }: ChartModel): boolean =>
  series.every(({ values }) => values.every((value) => value === null))

type Values = readonly (number | null)[]

/** A log scale cannot show zero: a gap. */
export const onScale = (values: Values, scale: ChartModel['scale']): Values =>
  scale === 'log' ? values.map((value) => (value !== null && value > 0 ? value : null)) : values

/** One step of the time, as Recharts reads it: null is a gap. */
export type ChartRow = { readonly time: number } & Readonly<Record<string, number | null>>

/** Of a series by its place; ids may contain dots, which Recharts reads as paths. */
export const seriesKey = (index: number): string => `series${index}`
/** Of the values of a series that stand between two gaps. */
export const isolatedKey = (index: number): string => `isolated${index}`

/** One row for each time, with a property for each series, and one for its isolated values. */
export function chartRows({
  times,
  series,
  scale,
}: Pick<ChartModel, 'times' | 'series' | 'scale'>): ChartRow[] {
  const columns = series.flatMap(({ look, values }, index): (readonly [string, Values])[] => {
    // Areas are stacked: a gap adds nothing.
    if (look === 'area') return [[seriesKey(index), times.map((_, step) => values[step] ?? 0)]]
    const shown = onScale(values, scale)
    if (look === 'dots') return [[seriesKey(index), shown]]
    return [
      [seriesKey(index), shown],
      [isolatedKey(index), isolated(shown)],
    ]
  })
  return times.map((time, step) => ({
    time,
    ...Object.fromEntries(columns.map(([key, values]) => [key, values[step] ?? null])),
  }))
}

/** Whether a line has values between two gaps, which need dots to be seen. */
export const hasIsolated = ({ values }: ChartSeries): boolean =>
  isolated(values).some((value) => value !== null)

/** What the chart says, in words. */
export function chartSummary(model: ChartModel): string {
  const { times, series, format, formatTime, label } = model
  const first = times[0]
  const last = times.at(-1)
  if (first === undefined || last === undefined) return `${label}: no data yet.`
  const parts = series.map((entry) => `${entry.label} ${seriesSummary(entry, format)}`)
  const events = (model.markers ?? []).map(({ at, text }) => `${formatTime(at)} ${text}`)
  const limit = model.limit === undefined ? '' : ` ${model.limit.text}.`
  const eventText = events.length === 0 ? '' : ` Events: ${events.join('; ')}.`
  return `${label}, ${formatTime(first)} to ${formatTime(last)}: ${parts.join('; ')}.${limit}${eventText}`
}

/** All values of one step, in words. */
export function valuesAt({ times, series, format, formatTime }: ChartModel, index: number): string {
  const parts = series.map(({ label, values }) => {
    const value = values[index] ?? null
    return `${label} ${value === null ? 'none' : format(value)}`
  })
  return `${formatTime(times[index] ?? 0)}: ${parts.join('; ')}`
}

/** @param index of the step that is marked, -1: none, which begins at the last */
export function movedCursor(key: string, index: number, last: number): number {
  switch (key) {
    case 'ArrowLeft':
      return index < 0 ? last : Math.max(0, index - 1)
    case 'ArrowRight':
      return index < 0 ? last : Math.min(last, index + 1)
    case 'Home':
      return 0
    case 'End':
      return last
    case 'Escape':
      return -1
    default:
      return index
  }
}

function seriesSummary({ values }: ChartSeries, format: (value: number) => string): string {
  const known = values.filter((value) => value !== null)
  const latest = known.at(-1)
  if (latest === undefined) return 'has no values'
  return `now ${format(latest)}, from ${format(Math.min(...known))} to ${format(Math.max(...known))}`
}

interface MarkerLabel {
  /** Epoch seconds of the first marker it names. */
  readonly at: number
  readonly text: string
  /** Which side of its line the label stands on, so that it stays inside. */
  readonly side: 'left' | 'right'
}

/** Of a letter of a label in pixels, and then some. */
const LETTER_WIDTH = 6.5
/** Between a line and its label, and between two labels, in pixels. */
const LABEL_GAP = 5

interface LabelRoom {
  /** Epoch seconds at both ends. */
  readonly from: number
  readonly to: number
  /** In pixels. */
  readonly width: number
}

/** One label for markers that stand too close for one each; no two labels meet. */
export function markerLabels(
  markers: readonly ChartMarker[],
  { from, to, width }: LabelRoom,
): readonly MarkerLabel[] {
  const placeOf = (at: number) => ((at - from) / Math.max(1, to - from)) * width
  const labels: { at: number; count: number; text: string; side: MarkerLabel['side'] }[] = []
  const extent = ({ at, text, side }: Omit<MarkerLabel, 'count'>): readonly [number, number] => {
    const [x, size] = [placeOf(at), text.length * LETTER_WIDTH + LABEL_GAP]
    return side === 'right' ? [x, x + size] : [x - size, x]
  }
  for (const { at, text } of [...markers].sort((a, b) => a.at - b.at)) {
    const right = { at, text, side: 'right' as const }
    const side = extent(right)[1] > width ? 'left' : 'right'
    let label = { ...right, side, count: 1 } as (typeof labels)[number]
    // What it would lie on is one label with it, which may then lie on the one before.
    for (let last = labels.at(-1); last !== undefined; last = labels.at(-1)) {
      if (extent(last)[1] + LABEL_GAP <= extent(label)[0]) break
      labels.pop()
      const count = last.count + label.count
      const one = { at: last.at, text: `${count} events`, side: 'right' as const, count }
      label = { ...one, side: extent(one)[1] > width ? 'left' : 'right' }
    }
    labels.push(label)
  }
  return labels.map(({ count: _, ...label }) => label)
}
