import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
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
