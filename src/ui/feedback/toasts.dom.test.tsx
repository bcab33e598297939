// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { mount, unmountAll } from '../../testing/dom.tsx'
import { notify, Toasts } from './toasts.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  act(() => vi.runAllTimers())
  vi.useRealTimers()
  unmountAll()
})

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))
const say = (...notice: Parameters<typeof notify>) => act(() => notify(...notice))
const texts = () =>
  [...screen.getByRole('status').children].map((card) => card.querySelector('span')?.textContent)

it('goes after five seconds, each by its own time', () => {
  mount(<Toasts />)
  say('Saved.')
  pass(3_000)
  say('Loaded.')
  pass(1_999)
  expect(texts()).toEqual(['Saved.', 'Loaded.'])
  pass(1)
  expect(texts()).toEqual(['Loaded.'])
  pass(3_000)
  expect(texts()).toEqual([])
})

it('stays for ten seconds with an action, which is done once', () => {
  const run = vi.fn()
  mount(<Toasts />)
  say('Deleted.', { action: { label: 'Undo', run } })
  pass(9_999)
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect([texts(), run.mock.calls.length]).toEqual([[], 1])
})

it('can be closed, and is announced politely', () => {
  mount(<Toasts />)
  expect(screen.getByRole('status').getAttribute('aria-live')).toBe('polite')
  say('One.')
  say('Two.', { status: 'danger' })
  fireEvent.click(screen.getAllByRole('button', { name: 'Close notice' })[0] as Element)
  expect(texts()).toEqual(['Two.'])
})

it('shows the last four', () => {
  mount(<Toasts />)
  for (const text of ['1', '2', '3', '4', '5']) say(text)
  expect(texts()).toEqual(['2', '3', '4', '5'])
})
