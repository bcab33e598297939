// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { mount, unmountAll } from '../../testing/dom.tsx'
import { type Column, DataTable } from './data-table.tsx'

interface City {
  readonly name: string
  readonly people: number | null
}

const cities: readonly City[] = [
  { name: 'Lima 10', people: 3 },
  { name: 'Kyoto', people: null },
  { name: 'Lima 9', people: 3 },
  { name: 'Accra', people: 1 },
]

const columns: readonly Column<City>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, sortValue: ({ name }) => name },
  {
    id: 'people',
    header: 'People',
    cell: ({ people }) => people ?? '–',
    sortValue: ({ people }) => people,
  },
  { id: 'note', header: 'Note', cell: () => '' },
]

const keyOf = ({ name }: City) => name
const rows = () => screen.getAllByRole('row').slice(1)
const firstCells = () => rows().map((row) => within(row).getAllByRole('cell')[0]?.textContent ?? '')
const head = (name: string) => screen.getByRole('columnheader', { name })

afterEach(unmountAll)

describe('sorting', () => {
  it('goes up with the first press of a head and down with the next, and back up', async () => {
    const { user } = mount(
      <DataTable label="Cities" rows={cities} columns={columns} rowKey={keyOf} />,
    )
    expect(firstCells()).toEqual(['Lima 10', 'Kyoto', 'Lima 9', 'Accra'])
    const name = screen.getByRole('button', { name: 'Name' })
    await user.click(name)
    expect(firstCells()).toEqual(['Accra', 'Kyoto', 'Lima 9', 'Lima 10'])
    expect(head('Name').getAttribute('aria-sort')).toBe('ascending')
    await user.click(name)
    expect(firstCells()).toEqual(['Lima 10', 'Lima 9', 'Kyoto', 'Accra'])
    expect(head('Name').getAttribute('aria-sort')).toBe('descending')
    await user.click(name)
    expect(head('Name').getAttribute('aria-sort')).toBe('ascending')
    expect(head('Note').hasAttribute('aria-sort')).toBe(false)
  })

  it('puts rows without a value last in either direction, and leaves equal rows in their order', async () => {
    const { user } = mount(
      <DataTable label="Cities" rows={cities} columns={columns} rowKey={keyOf} />,
    )
    await user.click(screen.getByRole('button', { name: 'People' }))
    expect(firstCells()).toEqual(['Accra', 'Lima 10', 'Lima 9', 'Kyoto'])
    await user.click(screen.getByRole('button', { name: 'People' }))
    expect(firstCells()).toEqual(['Lima 10', 'Lima 9', 'Accra', 'Kyoto'])
  })

  it('is by one column alone, also with Shift', async () => {
    const { user } = mount(
      <DataTable
        label="Cities"
        rows={cities}
        columns={columns}
        rowKey={keyOf}
        initialSort={{ id: 'people', desc: true }}
      />,
    )
    expect(head('People').getAttribute('aria-sort')).toBe('descending')
    await user.keyboard('{Shift>}')
    await user.click(screen.getByRole('button', { name: 'Name' }))
    await user.keyboard('{/Shift}')
    expect(head('People').getAttribute('aria-sort')).toBe('none')
  })

  it('follows what a column reads beside its rows', async () => {
    function Ranked() {
      const [ranks, setRanks] = useState<Record<string, number>>({ Accra: 1, Kyoto: 2 })
      const ranked: Column<City> = {
        id: 'rank',
        header: 'Rank',
        cell: ({ name }) => ranks[name],
        sortValue: ({ name }) => ranks[name],
      }
      return (
        <>
          <button type="button" onClick={() => setRanks({ Accra: 3, Kyoto: 2 })}>
            Other ranks
          </button>
          <DataTable
            label="Cities"
            rows={cities}
            columns={[columns[0] as Column<City>, ranked]}
            rowKey={keyOf}
            initialSort={{ id: 'rank', desc: false }}
            limit={2}
          />
        </>
      )
    }
    const { user } = mount(<Ranked />)
    expect(firstCells()).toEqual(['Accra', 'Kyoto'])
    await user.click(screen.getByRole('button', { name: 'Other ranks' }))
    expect(firstCells()).toEqual(['Kyoto', 'Accra'])
  })
})

describe('the keyboard', () => {
  it('moves between rows, and Enter opens one', async () => {
    const onSelect = vi.fn()
    const { user } = mount(
      <DataTable
        label="Cities"
        rows={cities}
        columns={columns}
        rowKey={keyOf}
        onSelect={onSelect}
      />,
    )
    rows()[0]?.focus()
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}')
    expect(document.activeElement).toBe(rows()[1])
    await user.keyboard('{ArrowUp}{ArrowUp}')
    expect(document.activeElement).toBe(rows()[0])
    await user.keyboard('{Enter}')
    expect(onSelect.mock.calls.map(([row]) => row)).toEqual([cities[0]])
  })

  it('selects several rows in the order shown', async () => {
    const chosen: (readonly string[])[] = []
    function Several() {
      const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
      return (
        <DataTable
          label="Cities"
          rows={cities}
          columns={columns}
          rowKey={keyOf}
          initialSort={{ id: 'name', desc: false }}
          selectedKeys={keys}
          onSelectKeys={(next) => {
            chosen.push(next)
            setKeys(new Set(next))
          }}
        />
      )
    }
    const { user } = mount(<Several />)
    await user.click(rows()[0] as HTMLElement)
    await user.keyboard('{Shift>}')
    await user.click(rows()[2] as HTMLElement)
    await user.keyboard('{/Shift}')
    expect(chosen).toEqual([['Accra'], ['Accra', 'Kyoto', 'Lima 9']])
    expect(rows().map((row) => row.getAttribute('aria-selected'))).toEqual([
      'true',
      'true',
      'true',
      'false',
    ])
    rows()[3]?.focus()
    await user.keyboard(' ')
    expect(chosen.at(-1)).toEqual(['Accra', 'Kyoto', 'Lima 9', 'Lima 10'])
    await user.keyboard('{Control>}a{/Control}')
    expect(chosen.at(-1)).toEqual(cities.map(keyOf))
  })
})

describe('a long table', () => {
  const many = Array.from({ length: 1_000 }, (_, place) => ({ name: `n${place}`, people: place }))
  const rowHeight = 34

  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(rowHeight)
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(rowHeight * 10)
    vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(rowHeight * 1_000)
  })
  afterEach(() => vi.restoreAllMocks())

  const dataRows = () => rows().filter((row) => row.hasAttribute('data-row'))
  const heightOf = (place: 'before' | 'after') => {
    const spacers = rows().filter((row) => !row.hasAttribute('data-row'))
    const spacer = place === 'before' ? spacers[0] : spacers.at(-1)
    return Number.parseInt(spacer?.querySelector('td')?.style.height ?? '0', 10)
  }

  it('has the rows in view in the document, and the height of all', () => {
    mount(<DataTable label="Many" rows={many} columns={columns} rowKey={keyOf} />)
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('1001')
    const first = dataRows()
    expect(first.length).toBeGreaterThanOrEqual(10)
    expect(first.length).toBeLessThan(40)
    expect(first[0]?.dataset['row']).toBe('n0')
    expect(first.length * rowHeight + heightOf('after')).toBe(1_000 * rowHeight)
  })

  it('follows the scrolling, and the order', async () => {
    const { user } = mount(<DataTable label="Many" rows={many} columns={columns} rowKey={keyOf} />)
    const body = screen.getByRole('region', { name: 'Many, table' })
    fireEvent.scroll(body, { target: { scrollTop: 500 * rowHeight } })
    await expect.poll(() => document.querySelector('[data-row="n505"]')).not.toBeNull()
    expect(document.querySelector('[data-row="n0"]')).toBeNull()
    const shown = dataRows()
    expect(heightOf('before')).toBe(Number(shown[0]?.dataset['index']) * rowHeight)
    fireEvent.scroll(body, { target: { scrollTop: 0 } })
    await user.click(screen.getByRole('button', { name: 'People' }))
    await user.click(screen.getByRole('button', { name: 'People' }))
    await expect.poll(() => dataRows()[0]?.dataset['row']).toBe('n999')
  })
})

describe('widths of columns', () => {
  const named = (
    <DataTable id="cities" label="Cities" rows={cities} columns={columns} rowKey={keyOf} />
  )

  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(100)
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue({
      width: 100,
    } as DOMRect)
  })
  afterEach(() => vi.restoreAllMocks())

  const bar = (name: string) => screen.getByRole('separator', { name: `Width of ${name}` })
  const widthOf = (name: string) => head(name).style.getPropertyValue('--width')

  it('go by the arrow keys, hold the others, and are there again', async () => {
    const { user, unmount } = mount(named)
    bar('Name').focus()
    await user.keyboard('{ArrowRight}')
    expect([widthOf('Name'), widthOf('People'), widthOf('Note')]).toEqual(['116px', '100px', ''])
    expect(bar('Name').getAttribute('aria-valuenow')).toBe('116')
    unmount()
    mount(named)
    expect([widthOf('Name'), widthOf('People'), widthOf('Note')]).toEqual(['116px', '100px', ''])
  })

  it('are dragged within their limits', () => {
    mount(named)
    fireEvent.pointerDown(bar('People'), { clientX: 300, pointerId: 1 })
    fireEvent.pointerMove(bar('People'), { clientX: 330, pointerId: 1 })
    expect(widthOf('People')).toBe('130px')
    fireEvent.pointerMove(bar('People'), { clientX: 0, pointerId: 1 })
    expect(widthOf('People')).toBe('48px')
  })

  it('go back to the own width with Home, and nothing is stored then', async () => {
    const { user } = mount(<DataTable {...named.props} columns={columns.slice(0, 1)} />)
    bar('Name').focus()
    await user.keyboard('{ArrowRight}')
    expect(localStorage.getItem('quiver.columns.cities')).toBe('[["name",116]]')
    await user.keyboard('{Home}')
    expect(widthOf('Name')).toBe('')
    expect(localStorage.getItem('quiver.columns.cities')).toBeNull()
  })
})
