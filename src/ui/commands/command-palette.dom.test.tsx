// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { mount, unmountAll } from '../../testing/dom.tsx'
import { CommandPalette, ShortcutSheet } from './command-palette.tsx'
import { registerCommands } from './commands.ts'

const ran: string[] = []
let unregister = () => {}

beforeEach(() => {
  ran.length = 0
  const command = (id: string, label: string, group: string) => ({
    id,
    label,
    group,
    run: () => void ran.push(id),
  })
  unregister = registerCommands([
    { ...command('go.home', 'Go to Home', 'Go to'), keys: 'g h' },
    { ...command('query.run', 'Run the query', 'Queries'), keys: 'mod+enter' },
    { ...command('query.stop', 'Stop the query', 'Queries'), enabled: false },
    { id: 'query.fold', label: 'Fold', group: 'Queries', where: 'in the editor', keys: 'mod+[' },
  ])
})

afterEach(() => {
  unregister()
  unmountAll()
})

function shown() {
  const onClose = vi.fn()
  function Palette() {
    const [opened, setOpened] = useState(true)
    const close = () => {
      onClose()
      setOpened(false)
    }
    return <CommandPalette opened={opened} onClose={close} />
  }
  const view = mount(<Palette />)
  return { ...view, onClose, field: screen.getByRole('combobox', { name: 'Search commands' }) }
}

const options = () => screen.queryAllByRole('option').map((option) => option.textContent)
const active = () => screen.getByRole('option', { selected: true })

it('offers what can be done now, with what belongs to the page first', () => {
  shown()
  expect(options()).toEqual([
    expect.stringContaining('Run the query'),
    expect.stringContaining('Go to Home'),
  ])
})

it('has a group under each heading, the group of the best first, and commands alone behind >', async () => {
  const { user, field } = shown()
  const names = () => screen.getAllByRole('group').map((group) => group.getAttribute('aria-label'))
  expect(names()).toEqual(['Queries', 'Go to'])
  await user.type(field, '>home')
  expect(options()).toEqual([expect.stringContaining('Go to Home')])
})

it('has the keyboard in its field, which names the option it is on', async () => {
  const { user, field } = shown()
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect(field.getAttribute('aria-activedescendant')).toBe(active().id)
  await user.keyboard('{ArrowDown}')
  expect(active().textContent).toContain('Go to Home')
  expect(field.getAttribute('aria-activedescendant')).toBe(active().id)
  await user.keyboard('{ArrowDown}')
  expect(active().textContent).toContain('Run the query')
  await user.keyboard('{ArrowUp}{Enter}')
  expect(ran).toEqual(['go.home'])
})

it('closes before it runs what is chosen, by the keyboard or the mouse', async () => {
  const { user, field, onClose } = shown()
  await user.type(field, 'run qu')
  expect(options()).toEqual([expect.stringContaining('Run the query')])
  await user.click(screen.getByRole('option'))
  expect([ran, onClose.mock.calls.length]).toEqual([['query.run'], 1])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('says so where nothing fits, and Enter then does nothing', async () => {
  const { user, field, onClose } = shown()
  await user.type(field, 'nothing such')
  expect(screen.getByRole('status').textContent).toContain('No matches for “nothing such”.')
  await user.keyboard('{ArrowDown}{Enter}')
  expect([ran, onClose.mock.calls.length]).toEqual([[], 0])
  await user.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledTimes(1)
})

it('lists every command that has keys on the sheet, by group and place', () => {
  mount(<ShortcutSheet opened onClose={() => {}} />)
  expect(screen.getByRole('region', { name: 'Queries' }).textContent).toContain('Run the query')
  expect(screen.getByRole('region', { name: 'Queries, in the editor' }).textContent).toContain(
    'Fold',
  )
  expect(screen.getByRole('region', { name: 'Go to' }).textContent).toContain('Go to Home')
})
