/** The members of a composite key in key order; names and types are edited among the attributes. */
import { ActionIcon, Select, Tooltip } from '@mantine/core'
import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { isIndexable } from '#lib/graph-schema/attribute-type.ts'
import type { VertexModel } from '#lib/graph-schema/schema-model.ts'
import classes from './schema.module.css'

interface KeyMembersProps {
  readonly vertex: VertexModel
  readonly onChange: (names: readonly string[]) => string | null
}

const MEMBERS_MIN = 2

export function KeyMembers({ vertex, onChange }: KeyMembersProps) {
  const { names } = vertex.primaryId
  const others = vertex.attributes.filter(
    ({ name, type }) => isIndexable(type) && !names.includes(name),
  )
  const swapped = (place: number, step: number) => {
    const next = [...names]
    const [moved = ''] = next.splice(place, 1)
    next.splice(place + step, 0, moved)
    return next
  }
  return (
    <>
      <ol className={classes['members']} aria-label="Members of the key">
        {names.map((name, place) => (
          <li key={name} className={classes['member']}>
            <span className={classes['memberPlace']}>{place + 1}</span>
            <code className={classes['memberName']} title={name}>
              {name}
            </code>
            <span className={classes['hint']}>
              {vertex.attributes.find((attribute) => attribute.name === name)?.type}
            </span>
            <MemberButton
              label={`Move ${name} up`}
              icon={<ArrowUp size={14} aria-hidden="true" />}
              disabled={place === 0}
              onClick={() => onChange(swapped(place, -1))}
            />
            <MemberButton
              label={`Move ${name} down`}
              icon={<ArrowDown size={14} aria-hidden="true" />}
              disabled={place === names.length - 1}
              onClick={() => onChange(swapped(place, 1))}
            />
            <MemberButton
              label={`Take ${name} out of the key`}
              icon={<X size={14} aria-hidden="true" />}
              disabled={names.length <= MEMBERS_MIN}
              onClick={() => onChange(names.filter((other) => other !== name))}
            />
          </li>
        ))}
      </ol>
      {others.length > 0 && (
        <Select
          aria-label="Add a member to the key"
          placeholder="Add a member"
          searchable
          data={others.map(({ name }) => name)}
          value={null}
          onChange={(name) => name !== null && onChange([...names, name])}
        />
      )}
    </>
  )
}

interface MemberButtonProps {
  readonly label: string
  readonly icon: React.ReactNode
  readonly disabled: boolean
  readonly onClick: () => void
}

function MemberButton({ label, icon, disabled, onClick }: MemberButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} disabled={disabled} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}
