// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { mount, unmountAll } from '../../testing/dom.tsx'
import { Tabs } from './tabs.tsx'

afterEach(unmountAll)

const all = [
  { id: 'rows', label: 'Rows', content: <p>The rows</p> },
  { id: 'plan', label: 'Plan', content: <p>The plan</p>, disabled: true },
  { id: 'json', label: 'JSON', content: <p>The JSON</p> },
  { id: 'log', label: 'Log', content: <p>The log</p> },
]

function Shown({ closes = false }: { readonly closes?: boolean }) {
  const [value, setValue] = useState('rows')
  const [tabs, setTabs] = useState(all)
  const onClose = (id: string) => {
    const rest = tabs.filter((tab) => tab.id !== id)
    setTabs(rest)
    if (id === value) setValue(rest[0]?.id ?? '')
  }
  return (
    <Tabs
      label="Outcome"
      tabs={tabs}
      value={value}
      onChange={setValue}
      onClose={closes ? onClose : undefined}
    />
  )
}

const tab = (name: string) => screen.getByRole('tab', { name })
const chosen = () =>
  screen.getAllByRole('tab').filter((one) => one.getAttribute('aria-selected') === 'true')
const names = () => screen.getAllByRole('tab').map((one) => one.textContent)

it('shows the panel of the chosen tab alone, named by it', async () => {
  const { user } = mount(<Shown />)
  expect(screen.getByRole('tabpanel', { name: 'Rows' }).textContent).toBe('The rows')
  await user.click(tab('JSON'))
  expect(screen.getByRole('tabpanel', { name: 'JSON' }).textContent).toBe('The JSON')
  expect(screen.queryByText('The rows')).toBeNull()
  await user.click(tab('Plan'))
  expect(chosen()).toEqual([tab('JSON')])
})

it('goes by arrow keys round over tabs that are enabled, and to the ends', async () => {
  const { user } = mount(<Shown />)
  await user.tab()
  expect(document.activeElement).toBe(tab('Rows'))
  const after = async (keys: string) => {
    await user.keyboard(keys)
    expect(chosen()).toEqual([document.activeElement])
    return document.activeElement?.textContent
  }
  expect(await after('{ArrowRight}')).toBe('JSON')
  expect(await after('{ArrowRight}{ArrowRight}')).toBe('Rows')
  expect(await after('{ArrowLeft}')).toBe('Log')
  expect(await after('{Home}')).toBe('Rows')
  expect(await after('{End}')).toBe('Log')
})

it('is one stop of the keyboard, before its panel', async () => {
  const { user } = mount(<Shown />)
  await user.tab()
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('tabpanel'))
})

it('closes by Delete, the middle button and the cross, and keeps the focus', async () => {
  const { user } = mount(<Shown closes />)
  await user.tab()
  await user.keyboard('{Delete}')
  expect(names()).toEqual(['Plan', 'JSON', 'Log'])
  fireEvent(tab('Log'), new MouseEvent('auxclick', { button: 1, bubbles: true }))
  expect(names()).toEqual(['Plan', 'JSON'])
  await user.click(tab('JSON'))
  await user.click(tab('JSON').querySelector('svg') as Element)
  expect(names()).toEqual(['Plan'])
})

it('cannot be closed where nobody follows it', async () => {
  const { user } = mount(<Shown />)
  await user.tab()
  await user.keyboard('{Delete}')
  expect(names()).toHaveLength(4)
})
