// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { mount, unmountAll } from '../../testing/dom.tsx'
import { SplitPane } from './split-pane.tsx'

afterEach(unmountAll)

type Props = Partial<Parameters<typeof SplitPane>[0]>

const pane = (props: Props = {}) => (
  <SplitPane
    id="queries.list"
    size={300}
    min={200}
    max={400}
    label="Resize list"
    first={<button type="button">First</button>}
    second={<button type="button">Second</button>}
    {...props}
  />
)

const bar = () => screen.getByLabelText('Resize list')
const around = (name: string) =>
  screen.getByRole('button', { name, hidden: true }).parentElement as HTMLElement

it('gives the fixed pane its size, by keys within its limits, and Home the first again', async () => {
  const { user } = mount(pane())
  expect(around('First').style.width).toBe('300px')
  expect(around('Second').style.width).toBe('')
  bar().focus()
  await user.keyboard('{ArrowRight}{ArrowRight}')
  expect(around('First').style.width).toBe('332px')
  await user.keyboard('{ArrowLeft>20/}')
  expect(around('First').style.width).toBe('200px')
  expect(bar().getAttribute('aria-valuenow')).toBe('200')
  await user.keyboard('{Home}')
  expect(around('First').style.width).toBe('300px')
})

it('has the size it was dragged to when it is mounted again', () => {
  const { unmount } = mount(pane())
  fireEvent.pointerDown(bar(), { clientX: 300, pointerId: 1 })
  fireEvent.pointerMove(bar(), { clientX: 350, pointerId: 1 })
  unmount()
  mount(pane())
  expect(around('First').style.width).toBe('350px')
  unmountAll()
  mount(pane())
  expect(around('First').style.width).toBe('300px')
})

it('grows a second pane that is fixed when the bar goes towards the first', async () => {
  const { user } = mount(pane({ fixed: 'second', direction: 'column' }))
  expect(bar().getAttribute('aria-orientation')).toBe('horizontal')
  bar().focus()
  await user.keyboard('{ArrowUp}')
  expect(around('Second').style.height).toBe('316px')
  expect(around('First').style.height).toBe('')
})

it('leaves what lies below a pane of full width out of reach', () => {
  mount(pane({ isWide: true }))
  expect(around('Second').hasAttribute('inert')).toBe(true)
  expect(around('First').hasAttribute('inert')).toBe(false)
  expect(around('First').style.width).toBe('')
  expect(bar().hidden).toBe(true)
})
