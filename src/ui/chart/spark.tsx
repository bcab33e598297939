/** A line of the last values, without axes: the trend beside a figure. Drawn by hand, so light. */
import classes from './spark.module.css'

interface SparkProps {
  /** Null is a gap. */
  readonly values: readonly (number | null)[]
  /** What it shows, for screen readers: `Requests per second over the last minute`. */
  readonly label: string
  /** `range` shows how a large number moves; `zero` its size. */
  readonly scale?: 'zero' | 'range'
}

const WIDTH = 160
const HEIGHT = 36

export function Spark({ values, label, scale = 'zero' }: SparkProps) {
  return (
    <svg
      className={classes.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${summaryOf(values)}`}
    >
      <path className={classes.base} d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
      {sparkPaths(values, scale).map((path) => (
        <path key={path} className={classes.line} d={path} />
      ))}
    </svg>
  )
}

/** One path per run of values between gaps. */
export function sparkPaths(
  values: readonly (number | null)[],
  scale: 'zero' | 'range' = 'zero',
): readonly string[] {
  // One value has no trend.
  if (values.length < 2) return []
  const known = values.filter((value) => value !== null)
  const top = Math.max(...known, scale === 'zero' ? Number.MIN_VALUE : Number.NEGATIVE_INFINITY)
  const bottom = scale === 'zero' ? 0 : Math.min(...known)
  const share = (value: number): number =>
    top === bottom ? 0.5 : (value - bottom) / (top - bottom)
  const step = values.length > 1 ? WIDTH / (values.length - 1) : 0
  const paths: string[] = []
  let open = ''
  values.forEach((value, index) => {
    if (value === null) {
      if (open !== '') paths.push(open)
      open = ''
      return
    }
    const x = (index * step).toFixed(1)
    const y = (HEIGHT - 2 - share(value) * (HEIGHT - 4)).toFixed(1)
    open += open === '' ? `M${x} ${y}h0.1` : `L${x} ${y}`
  })
  // A lonely value is a short line: a dot would look like dust.
  return (open === '' ? paths : [...paths, open]).map((path) => path.replace(/h0\.1$/, 'h3'))
}

function summaryOf(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return 'no values'
  const round = (value: number): string => String(Number(value.toPrecision(3)))
  return `from ${round(Math.min(...known))} to ${round(Math.max(...known))}`
}
