/** A new graph, empty or with every global type. */
import { Button, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRefusal } from '#api/rights.ts'
import { createGraph } from '#contract/schema.ts'
import { identifierProblem } from '#lib/graph-schema/identifier.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { useCreateGraph } from '../api/schema.ts'
import classes from './schema.module.css'

interface CreateGraphDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly onCreated: (name: string) => void
}

export function CreateGraphDialog(props: CreateGraphDialogProps) {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title="New graph">
      <CreateGraphForm {...props} />
    </Dialog>
  )
}

function CreateGraphForm({ onClose, onCreated }: CreateGraphDialogProps) {
  const [name, setName] = useState('')
  const [withGlobalTypes, setWithGlobalTypes] = useState(false)
  const create = useCreateGraph()
  const problem = name === '' ? null : identifierProblem(name)
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (identifierProblem(name) !== null) return
        create.mutate({ name, withGlobalTypes }, { onSuccess: () => onCreated(name) })
      }}
    >
      <TextInput
        label="Name"
        data-autofocus
        value={name}
        error={problem}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Switch
        label="Put every global type into it"
        checked={withGlobalTypes}
        onChange={(event) => setWithGlobalTypes(event.currentTarget.checked)}
      />
      {create.isError && <ErrorNotice error={create.error} title="The graph was not created" />}
      <footer className={classes['formActions']}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Refusable refusal={useRefusal(createGraph, '')}>
          <Button
            type="submit"
            disabled={name === '' || problem !== null}
            loading={create.isPending}
          >
            Create graph
          </Button>
        </Refusable>
      </footer>
    </form>
  )
}
