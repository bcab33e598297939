import type { KeyboardEvent, PointerEvent, ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { ResizeBar } from './resize-bar.tsx'

type Bar = ReactElement<{
  onKeyDown: (event: KeyboardEvent) => void
  onPointerDown: (event: PointerEvent) => void
  onPointerMove: (event: PointerEvent) => void
  onLostPointerCapture: () => void
  onDoubleClick: () => void
}>

/** A bar at the edge of something that is 100 pixels wide, with all that it asked for. */
function bar(size: number, parts: Partial<Parameters<typeof ResizeBar>[0]> = {}) {
  const asked: (number | 'own')[] = []
  let drawn: Bar | undefined
  const Probe = () => {
    drawn = ResizeBar({
      ...{ label: 'Width of it', orientation: 'vertical', size, min: 48, max: 300 },
      className: undefined,
      onResize: (next) => asked.push(next),
      onReset: () => asked.push('own'),
      ...parts,
    }) as Bar
    return drawn
  }
  const html = renderToStaticMarkup(<Probe />)
  const { props } = drawn as Bar
  const currentTarget = { parentElement: { offsetWidth: 100 }, setPointerCapture: vi.fn() }
  const preventDefault = vi.fn()
  const press = (key: string) =>
    props.onKeyDown({ key, currentTarget, preventDefault } as unknown as KeyboardEvent)
  const at = (clientX: number, clientY = 0) =>
    ({ clientX, clientY, pointerId: 1, currentTarget }) as unknown as PointerEvent
  return { html, asked, press, at, props, preventDefault }
}

it('is a separator with the size it gives, which may be none yet', () => {
  const { html } = bar(120)
  expect(html).toMatch(/role="separator".*aria-orientation="vertical".*tabindex="0"/)
  expect(html).toMatch(/aria-valuenow="120" aria-valuemin="48" aria-valuemax="300"/)
  const own = bar(0).html
  expect(own).toMatch(/aria-valuenow="0" aria-valuetext="its own width" aria-valuemin="0"/)
})

it('goes by arrow keys along its way alone, within its bounds, and back to the own size', () => {
  const { asked, press, preventDefault } = bar(120)
  for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'Tab', 'Enter', 'Home']) press(key)
  expect(asked).toEqual([136, 104, 'own'])
  expect(preventDefault).toHaveBeenCalledTimes(3)
  const narrow = bar(50)
  narrow.press('ArrowLeft')
  const wide = bar(299)
  wide.press('ArrowRight')
  expect([...narrow.asked, ...wide.asked]).toEqual([48, 300])
  const own = bar(0)
  own.press('ArrowRight')
  expect(own.asked).toEqual([116])
  const behind = bar(120, { sign: -1, orientation: 'horizontal' })
  for (const key of ['ArrowDown', 'ArrowUp', 'ArrowLeft']) behind.press(key)
  expect(behind.asked).toEqual([104, 136])
})

it('is dragged from where it was pressed until it is let go', () => {
  const { asked, props, at } = bar(120)
  props.onPointerMove(at(5))
  props.onPointerDown(at(400))
  props.onPointerMove(at(430))
  props.onPointerMove(at(390.4))
  props.onPointerMove(at(9_000))
  props.onLostPointerCapture()
  props.onPointerMove(at(10))
  props.onDoubleClick()
  expect(asked).toEqual([150, 110, 300, 'own'])
  const own = bar(0)
  own.props.onPointerDown(own.at(400))
  own.props.onPointerMove(own.at(400))
  own.props.onPointerMove(own.at(390))
  expect(own.asked).toEqual([90])
})
