/**
 * A curve as Recharts takes it for `type`: no stroke between two points, and at each point a stroke
 * without length, which round caps show as a dot. All dots of a series are one path: one element per
 * dot made an update ten times as expensive.
 */
import type { LineProps } from 'recharts'

type CurveFactory = Extract<LineProps['type'], (...parameters: never[]) => unknown>

export const dotsCurve: CurveFactory = (context) => ({
  areaStart() {},
  areaEnd() {},
  lineStart() {},
  lineEnd() {},
  point(x, y) {
    context.moveTo(x, y)
    context.lineTo(x, y)
  },
})
