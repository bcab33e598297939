import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { partsNamed, withoutSpareParts } from '../../../scripts/lean-mantine.mjs'

const menu = readFileSync('node_modules/@mantine/core/esm/components/Menu/Menu.mjs', 'utf8')

it('knows the parts that a page and the library itself use', () => {
  const named = partsNamed([
    '<Menu.Item leftSection={<Icon />}>One</Menu.Item> // like Menu.Label',
    'return jsx(Popover.Target, {}); throw new Error("Menu.Sub has no child")',
    '<Anchor component={Router.Link} />',
  ])
  expect([...named]).toEqual(['Menu.Item', 'Popover.Target', 'Router.Link'])
})

it('takes from a component of the library the parts that nobody uses', () => {
  const lean = withoutSpareParts(menu, new Set(['Menu.Item', 'Menu.Target']))
  expect(lean).toContain('Menu.Item = MenuItem;')
  expect(lean).toContain('Menu.Target = MenuTarget;')
  expect(lean).not.toContain('Menu.Sub = ')
  expect(lean).not.toContain('displayName')
  const lines = (text: string) => text.split('\n').filter((line) => line !== '').length
  // Were the library built in another way, nothing would be found.
  expect(lines(menu) - lines(lean)).toBeGreaterThan(8)
})

it('finds the modules it replaces', () => {
  const read = (path: string) => readFileSync(`node_modules/@mantine/core/esm/${path}.mjs`, 'utf8')
  expect(read('components/ScrollArea/ScrollArea')).toContain(
    'export { ScrollArea, ScrollAreaAutosize };',
  )
  expect(read('utils/Floating/FloatingArrow/FloatingArrow')).toContain('export { FloatingArrow };')
  expect(read('components/ModalBase/ModalBase')).toContain('jsx(RemoveScroll, {')
  expect(read('components/Tooltip/use-tooltip')).toContain(' ? safePolygon() : null')
})
