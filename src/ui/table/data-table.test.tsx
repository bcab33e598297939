import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Column, DataTable } from './data-table.tsx'

interface City {
  readonly name: string
  readonly people: number
  readonly note: string
}

const columns: readonly Column<City>[] = [
  { id: 'name', header: 'Name', lead: true, cell: ({ name }) => name },
  {
    id: 'people',
    header: 'People',
    align: 'end',
    fold: 'narrow',
    cell: ({ people }) => people,
    sortValue: ({ people }) => people,
  },
  { id: 'note', header: 'Note', fold: 'medium', cell: ({ note }) => note },
]
const cities = [
  { name: 'Lima', people: 0, note: '' },
  { name: 'Kyoto', people: 1_464_890, note: 'old' },
]

function drawn(sorted?: { readonly id: string; readonly desc: boolean }): string {
  return renderToStaticMarkup(
    <DataTable
      label="Cities"
      rows={cities}
      columns={columns}
      rowKey={({ name }) => name}
      {...(sorted && { initialSort: sorted })}
    />,
  )
}

const parts = (html: string, pattern: RegExp) => html.match(pattern) ?? []
const text = (html: string) => html.replaceAll(/<[^>]+>/g, '')

describe('the head of a column', () => {
  it('is a button where rows can be sorted by it, and says in which order they are', () => {
    const [name, people] = parts(drawn({ id: 'people', desc: true }), /<th .*?<\/th>/g)
    expect(name).not.toMatch(/<button|aria-sort/)
    expect(people).toMatch(/<button.*People/)
    expect(people).toContain('aria-sort="descending"')
    expect(parts(drawn(), /aria-sort="[a-z]+"/g)).toEqual(['aria-sort="none"'])
  })
})

describe('what is folded into the lead', () => {
  it('runs beneath the whole row where the row begins with the lead', () => {
    const folds = (first: readonly Column<City>[], more: readonly Column<City>[] = []) =>
      parts(
        renderToStaticMarkup(
          <DataTable label="" rows={[]} columns={[...first, ...more]} rowKey={String} />,
        ),
        /data-(folds|edge)="[a-z]+"/g,
      )
    const [name, people, note] = columns as [Column<City>, Column<City>, Column<City>]
    const kept = { id: 'kept', header: 'Kept', cell: () => '' }
    expect(folds([name, kept])).toEqual(['data-edge="start"', 'data-edge="end"'])
    const across = ['data-folds="across"', 'data-edge="start"', 'data-edge="end"']
    expect(folds([people, name, kept, note])).toEqual(across)
    expect(folds([kept, name, note])).toEqual(['data-folds="within"', ...across.slice(1)])
  })

  it('leaves out what is spare', () => {
    const spare = columns.map((column) => ({ ...column, spare: true }))
    const html = renderToStaticMarkup(
      <DataTable label="" rows={cities} columns={spare} rowKey={({ name }) => name} />,
    )
    expect(html).not.toContain('<span data-fold')
    expect(html).toContain('1464890')
  })

  it('has each value with its head, zero too, and nothing of an empty one', () => {
    const leads = parts(drawn(), /<tr [^>]*data-row.*?<\/td>/g)
    expect(leads.map((lead) => parts(lead, /<span data-fold.*?<\/span>[^<]*/g).map(text))).toEqual([
      ['People 0'],
      ['People 1464890', 'Note old'],
    ])
  })
})

describe('a table that has a name', () => {
  afterEach(() => vi.unstubAllGlobals())

  const named = (kept: string | null) => {
    const read = vi.fn((_key: string) => kept)
    vi.stubGlobal('localStorage', { getItem: read })
    const html = renderToStaticMarkup(
      <DataTable id="cities" label="" rows={cities} columns={columns} rowKey={String} />,
    )
    expect(read.mock.calls).toEqual([['quiver.columns.cities']])
    return html
  }
  const sized = (html: string) => parts(html, /<(table|th|td) [^>]*data-sized="true"/g).length

  it('has a bar at each of its heads, whose names it is none of', () => {
    const html = named(null)
    const heads = parts(html, /<th .*?<\/th>/g)
    expect(heads.map((head) => parts(head, /aria-label="[^"]*"/g))).toEqual(
      columns.map(({ header }) => [`aria-label="${header}"`, `aria-label="Width of ${header}"`]),
    )
    expect(sized(html)).toBe(0)
    expect(drawn()).not.toContain('separator')
    const buttons = columns.map((column) => ({ ...column, hideHeader: true }))
    const none = <DataTable id="x" label="" rows={[]} columns={buttons} rowKey={String} />
    expect(renderToStaticMarkup(none)).not.toContain('separator')
  })

  it('has the widths that were kept for it, in heads and cells', () => {
    const html = named('[["people",120],["gone",80]]')
    const [name, people] = parts(html, /<th .*?<\/th>/g)
    expect(people).toMatch(/style="--width:120px".*aria-valuenow="120"/)
    expect(name).not.toContain('data-sized')
    expect(sized(html)).toBe(1 + 1 + cities.length)
  })

  it.each([
    '',
    '{',
    '7',
    '{"people":120}',
    '[1,["people"],["people","9"],["people",-3],["people",1e9]]',
  ])('is as wide as ever where %j was kept', (kept) => {
    const html = named(kept)
    expect(sized(html)).toBe(0)
    expect(html).toContain('Kyoto')
  })
})
