/** By what a listing of the server goes: as its elements were made, or by one attribute. */
import { NativeSelect } from '@mantine/core'

interface OrderSelectProps {
  /** Of attributes; without any there is nothing to choose. */
  readonly names: readonly string[]
  /** As the server has it: `-age`; empty: as they were made. */
  readonly value: string
  readonly onChange: (sort: string) => void
}

export function OrderSelect({ names, value, onChange }: OrderSelectProps) {
  if (names.length === 0) return null
  return (
    <NativeSelect
      aria-label="Order"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        { value: '', label: 'As stored' },
        ...names.flatMap((name) => [
          { value: name, label: `By ${name}` },
          { value: `-${name}`, label: `By ${name}, descending` },
        ]),
      ]}
    />
  )
}
