/** Global types of the server into this graph: they come with the data they have. */
import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { EmptyState, ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { TypeTag } from '#ui/theme/type-tag.tsx'
import { globalTypesQuery } from '../api/global-types.ts'
import { type GlobalChoice, globalChoices, takeInOperations } from '../model/global-types.ts'
import type { Operation } from '../model/operations.ts'
import classes from './schema.module.css'

interface GlobalTypesDialogProps {
  readonly opened: boolean
  readonly schema: SchemaModel
  readonly apply: (operation: Operation) => string | null
  readonly onClose: () => void
}

export function GlobalTypesDialog(props: GlobalTypesDialogProps) {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title="Global types">
      <GlobalTypesBody {...props} />
    </Dialog>
  )
}

function GlobalTypesBody({ schema, apply, onClose }: GlobalTypesDialogProps) {
  const globals = useQuery({ ...globalTypesQuery, staleTime: 0 })
  if (globals.isPending) return <Loading what="the global types" rows={3} />
  if (globals.isError) {
    return (
      <ErrorNotice
        error={globals.error}
        title="The global types could not be read"
        onRetry={globals.refetch}
      />
    )
  }
  const choices = globalChoices(schema, globals.data)
  if (choices.length === 0) {
    return (
      <EmptyState
        text="Every global type is in this graph already."
        hint="A new type becomes global with the switch in its form, before it is published."
      />
    )
  }
  return (
    <ChoiceForm
      choices={choices}
      onCancel={onClose}
      onTake={(chosen) => {
        const refusals = takeInOperations(schema, globals.data, chosen).flatMap(
          (operation) => apply(operation) ?? [],
        )
        if (refusals.length === 0) onClose()
        return refusals
      }}
    />
  )
}

interface ChoiceFormProps {
  readonly choices: readonly GlobalChoice[]
  readonly onCancel: () => void
  /** Answers with what was refused. */
  readonly onTake: (chosen: ReadonlySet<string>) => readonly string[]
}

function ChoiceForm({ choices, onCancel, onTake }: ChoiceFormProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const toggle = (name: string) => {
    const next = new Set(chosen)
    if (!next.delete(name)) next.add(name)
    setChosen(next)
  }
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault()
        setRefusals(onTake(chosen))
      }}
    >
      <p className={classes['hint']}>
        Other graphs share these types and their data. What an edge type joins comes with it.
      </p>
      <ul className={classes['choices']}>
        {choices.map(({ type, problem }) => (
          <li key={type.name}>
            <Checkbox
              label={<TypeTag name={type.name} kind={type.kind} />}
              description={problem ?? undefined}
              disabled={problem !== null}
              checked={chosen.has(type.name)}
              onChange={() => toggle(type.name)}
            />
          </li>
        ))}
      </ul>
      <Refusals refusals={refusals} />
      <footer className={classes['formActions']}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" disabled={chosen.size === 0}>
          Put into the draft
        </Button>
      </footer>
    </form>
  )
}

function Refusals({ refusals }: { readonly refusals: readonly string[] }) {
  if (refusals.length === 0) return null
  return (
    <ul className={classes['problems']} role="alert">
      {refusals.map((refusal) => (
        <li key={refusal}>{refusal}</li>
      ))}
    </ul>
  )
}
