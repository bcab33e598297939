import { expect, it } from 'vitest'
import { arrowSvg, escaped, pathOf, shapeSvg } from './svg.ts'

const at = (x: number, y: number) => ({ x, y })

it('lines are straight, or bent from control point to control point', () => {
  const ends = { from: at(0, 0), to: at(10, 0) }
  expect(pathOf(ends, [])).toBe('M0,0L10,0')
  expect(pathOf(ends, [at(5, 8)])).toBe('M0,0Q5,8 10,0')
  expect(pathOf(ends, [at(2, 8), at(8, 8)])).toBe('M0,0Q2,8 5,8Q8,8 10,0')
})

it('arrows have their tip at the end of the line', () => {
  const look = { color: 'red', opacity: 1 }
  expect(arrowSvg(at(0, 0), at(20, 0), look)).toContain('points="20,0 11,4 11,-4"')
  expect(arrowSvg(at(5, 5), at(5, 5), look)).not.toContain('NaN')
})

it('shapes keep within their size', () => {
  const area = { x: 100, y: 50, width: 20, height: 10 }
  expect(shapeSvg('ellipse', area, '')).toContain('cx="100" cy="50" rx="10" ry="5"')
  expect(shapeSvg('round-rectangle', area, '')).toContain('x="90" y="45" width="20" height="10" rx')
  expect(shapeSvg('diamond', area, '')).toContain('points="100,45 110,50 100,55 90,50"')
})

it('no label ends the markup or is no XML', () => {
  expect(escaped('<a href="x">&\u0000</a>')).toBe(
    '&lt;a href=&quot;x&quot;&gt;&amp;\ufffd&lt;/a&gt;',
  )
})
