/** The upsert's flags as choices, each with the sentence of what will happen. */
import { Select, Switch } from '@mantine/core'
import { sentences, type UpsertOptions } from '../model/upsert-options.ts'
import classes from './data.module.css'

interface OptionsPanelProps {
  readonly options: UpsertOptions
  readonly onChange: (options: UpsertOptions) => void
}

const vertexChoices = [
  { value: 'upsert', label: 'Create or update' },
  { value: 'new', label: 'New vertices only' },
  { value: 'update', label: 'Existing vertices only' },
] as const

const endpointChoices = [
  { value: 'any', label: 'Create missing endpoints' },
  { value: 'both', label: 'Both endpoints must exist' },
  { value: 'source', label: 'Source must exist' },
  { value: 'target', label: 'Target must exist' },
] as const

export function OptionsPanel({ options, onChange }: OptionsPanelProps) {
  const { ack, vertices, endpoints, atomic } = options
  return (
    <section className={classes['options']} aria-label="Options">
      <Select
        label="Vertices"
        description={sentences.vertices[vertices]}
        data={[...vertexChoices]}
        value={vertices}
        onChange={(value) => {
          const chosen = vertexChoices.find((choice) => choice.value === value)
          if (chosen !== undefined) onChange({ ...options, vertices: chosen.value })
        }}
      />
      <Select
        label="Endpoints of edges"
        description={sentences.endpoints[endpoints]}
        data={[...endpointChoices]}
        value={endpoints}
        onChange={(value) => {
          const chosen = endpointChoices.find((choice) => choice.value === value)
          if (chosen !== undefined) onChange({ ...options, endpoints: chosen.value })
        }}
      />
      <Switch
        label="Wait until it is durable"
        description={sentences.ack[ack]}
        checked={ack === 'all'}
        onChange={(event) =>
          onChange({ ...options, ack: event.currentTarget.checked ? 'all' : 'none' })
        }
      />
      <Switch
        label="All or nothing"
        description={sentences.atomic[atomic ? 'on' : 'off']}
        checked={atomic}
        onChange={(event) => onChange({ ...options, atomic: event.currentTarget.checked })}
      />
    </section>
  )
}
