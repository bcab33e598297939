// @vitest-environment jsdom
import { act } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { mount, unmountAll } from '../../testing/dom.tsx'
import { setActiveTime } from './active-time.ts'
import { Drawing } from './drawing.tsx'
import { axisOf, type ChartModel } from './model.ts'

const model: ChartModel = {
  label: 'Latency',
  times: [100, 110, 120, 130],
  series: [
    { id: 'p50', label: 'p50', values: [1, null, 3, 4] },
    { id: 'max.of', label: 'Max', values: [8, 9, null, 7], look: 'dots' },
  ],
  format: (value) => `${value} ms`,
  formatTime: (time) => `at ${time}`,
}

beforeEach(() => {
  // Everything is as large as the chart but texts, which have no size.
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (
    this: HTMLElement,
  ) {
    const isText = this instanceof HTMLSpanElement
    return { width: isText ? 0 : 600, height: isText ? 0 : 200 } as DOMRect
  })
})

afterEach(() => {
  act(() => setActiveTime(null))
  unmountAll()
  vi.restoreAllMocks()
})

const all = (selector: string) => [...document.querySelectorAll(selector)]
const paths = () => all('.recharts-line-curve').map((path) => path.getAttribute('d') ?? '')
const strokes = (path: string | undefined) => path?.match(/M/g)?.length
const tips = () => all('.recharts-tooltip-wrapper').map((tip) => tip.textContent)

describe('a chart', () => {
  it('breaks a line at a gap, and has dots where no line reaches', () => {
    mount(<Drawing model={model} />)
    const [line, isolated, dots] = paths()
    expect(strokes(line)).toBe(2)
    expect([strokes(isolated), strokes(dots)]).toEqual([1, 3])
    // A stroke without length, which its round caps make a dot.
    expect(isolated).toMatch(/^M([\d.]+,[\d.]+)L\1$/)
  })

  it('stacks areas upon each other', () => {
    const area = (id: string, values: readonly (number | null)[]) =>
      ({ id, label: id, values, look: 'area' }) as const
    const series = [area('a', [1, 1, 1, 1]), area('b', [2, 2, null, 2])]
    mount(<Drawing model={{ ...model, series }} />)
    const tops = all('.recharts-area-curve').map((path) =>
      (path.getAttribute('d') ?? '')
        .split(/[ML]/)
        .slice(1)
        .map((point) => Number(point.split(',')[1])),
    )
    const [below = [], above = []] = tops
    expect(new Set(below).size).toBe(1)
    // The second lies on the first where it has nothing.
    expect(above.map((y, step) => y < (below[step] ?? 0))).toEqual([true, true, false, true])
  })

  it('has a line across for each tick of its axis', () => {
    mount(<Drawing model={model} />)
    const lines = all('.recharts-cartesian-grid-horizontal line')
    expect(lines.length).toBe(axisOf(model).ticks.length)
  })

  it('names its events and its limit', () => {
    const markers = [
      { at: 110, text: 'Rebuild' },
      { at: 900, text: 'Later' },
    ]
    const limit = { value: 6, text: 'Limit 6 ms' }
    mount(<Drawing model={{ ...model, markers, limit }} />)
    expect(all('.recharts-reference-line-line').length).toBe(2)
    expect(all('text[class*="note"]').map((label) => label.textContent)).toEqual([
      'Rebuild',
      'Limit 6 ms',
    ])
  })
})

describe('the moment under the pointer', () => {
  it('has its values in every chart that has it', () => {
    mount(
      <>
        <Drawing model={model} />
        <Drawing model={{ ...model, times: [100, 110, 120, 140] }} />
      </>,
    )
    expect(tips()).toEqual(['', ''])
    act(() => setActiveTime(110))
    expect(tips()).toEqual(['at 110p50–Max9 ms', 'at 110p50–Max9 ms'])
    act(() => setActiveTime(130))
    expect(tips()).toEqual(['at 130p504 msMax7 ms', ''])
    expect(all('.recharts-reference-line-line').length).toBe(1)
    expect(all('.recharts-reference-dot-dot').length).toBe(1)
    act(() => setActiveTime(null))
    expect(tips()).toEqual(['', ''])
  })
})
