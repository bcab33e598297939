/** One line per part of the type: which column feeds it, and what that column holds. */
import { Select } from '@mantine/core'
import type { CsvShape } from '#lib/csv/csv-sniff.ts'
import { columnsOf, type IdColumn, type Mapping } from '../model/mapping.ts'
import classes from './data.module.css'

interface MappingTableProps {
  readonly mapping: Mapping
  readonly shape: CsvShape
  readonly onChange: (mapping: Mapping) => void
}

interface Part {
  readonly label: string
  readonly type: string
  readonly column: number | null
  readonly required: boolean
  readonly with: (column: number | null) => Mapping
}

const NOT_LOADED = '-'

export function MappingTable({ mapping, shape, onChange }: MappingTableProps) {
  const columns = shape.columns.map(({ name, type, samples }, place) => ({
    value: String(place),
    label:
      shape.hasHeader || samples[0] === undefined ? `${name} (${type})` : `${name}: ${samples[0]}`,
  }))
  return (
    <div className={classes['tableScroll']}>
      <table className={classes['mapping']} aria-label="Mapping of columns">
        <thead>
          <tr>
            <th scope="col">Goes into</th>
            <th scope="col">Type</th>
            <th scope="col">From column</th>
            <th scope="col">Such as</th>
          </tr>
        </thead>
        <tbody>
          {partsOf(mapping).map((part) => (
            <tr key={part.label}>
              <th scope="row">{part.label}</th>
              <td>
                <code>{part.type}</code>
              </td>
              <td className={classes['columnSelect']}>
                <Select
                  aria-label={`Column for ${part.label}`}
                  searchable
                  data={
                    part.required
                      ? columns
                      : [{ value: NOT_LOADED, label: 'Not loaded' }, ...columns]
                  }
                  value={
                    part.column === null ? (part.required ? null : NOT_LOADED) : String(part.column)
                  }
                  placeholder="Choose a column"
                  onChange={(value) =>
                    onChange(
                      part.with(value === null || value === NOT_LOADED ? null : Number(value)),
                    )
                  }
                />
              </td>
              <td className={classes['samples']}>
                {part.column === null ? '' : (shape.columns[part.column]?.samples ?? []).join(', ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <NotLoaded mapping={mapping} shape={shape} />
    </div>
  )
}

function NotLoaded({ mapping, shape }: Pick<MappingTableProps, 'mapping' | 'shape'>) {
  const used = new Set(columnsOf(mapping))
  const unused = shape.columns.filter((_, place) => !used.has(place)).map(({ name }) => name)
  if (unused.length === 0) return null
  return <p className={classes['warning']}>Not loaded: {unused.join(', ')}</p>
}

function partsOf(mapping: Mapping): readonly Part[] {
  const attributes = mapping.attributes.map(
    (attribute, place): Part => ({
      label: attribute.attribute,
      type: attribute.type,
      column: attribute.column,
      required: attribute.required,
      with: (column) => ({
        ...mapping,
        attributes: mapping.attributes.with(place, { ...attribute, column }),
      }),
    }),
  )
  return [...endsOf(mapping), ...attributes]
}

function endsOf(mapping: Mapping): readonly Part[] {
  if (mapping.kind === 'vertex') {
    const label = `${mapping.typeName} id`
    return idParts(label, mapping.id, (id) => ({ ...mapping, id }))
  }
  const { pair, source, target } = mapping
  return [
    ...idParts(`From ${pair.from} id`, source, (next) => ({ ...mapping, source: next })),
    ...idParts(`To ${pair.to} id`, target, (next) => ({ ...mapping, target: next })),
  ]
}

/** A composite key has a line for each of its members. */
function idParts(
  label: string,
  id: readonly IdColumn[],
  withId: (id: readonly IdColumn[]) => Mapping,
): readonly Part[] {
  return id.map((member, place) => ({
    label: member.name === '' ? label : `${label}: ${member.name}`,
    type: member.type,
    column: member.column,
    required: true,
    with: (column) => withId(id.with(place, { ...member, column })),
  }))
}
