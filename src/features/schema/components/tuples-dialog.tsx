/** Tuple types: which there are, one more, one less. They belong to the server, not to a draft. */
import { ActionIcon, Button, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useRefusal } from '#api/rights.ts'
import { createTuples, dropTuples } from '#contract/tuples.ts'
import { identifierProblem } from '#lib/graph-schema/identifier.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { tuplesQuery, useCreateTuple, useDropTuple } from '../api/global-types.ts'
import { readTupleFields } from '../model/tuples.ts'
import classes from './schema.module.css'

interface TuplesDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
}

export function TuplesDialog({ opened, onClose }: TuplesDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Tuple types">
      <div className={classes['form']}>
        <TupleList />
        <NewTupleForm />
      </div>
    </Dialog>
  )
}

function TupleList() {
  const tuples = useQuery({ ...tuplesQuery, staleTime: 0 })
  const drop = useDropTuple()
  const refusal = useRefusal(dropTuples, '')
  if (tuples.isPending) return <Loading what="the tuple types" rows={2} />
  if (tuples.isError) {
    return (
      <ErrorNotice
        error={tuples.error}
        title="The tuple types could not be read"
        onRetry={tuples.refetch}
      />
    )
  }
  return (
    <>
      <ul className={classes['lines']} aria-label="Tuple types">
        {tuples.data.map(({ name, fields }) => (
          <li key={name}>
            <span className={classes['tupleText']}>
              <strong>{name}</strong>{' '}
              <code>
                {fields
                  .map(({ fieldName, fieldType, length }) =>
                    fieldType === 'STRING' && length !== undefined
                      ? `${fieldName} ${fieldType}(${length})`
                      : `${fieldName} ${fieldType}`,
                  )
                  .join(', ')}
              </code>
            </span>
            <Refusable refusal={refusal} label={`Drop ${name}`}>
              <ActionIcon aria-label={`Drop tuple ${name}`} onClick={() => drop.mutate(name)}>
                <Trash2 size={14} aria-hidden="true" />
              </ActionIcon>
            </Refusable>
          </li>
        ))}
      </ul>
      {tuples.data.length === 0 && (
        <p className={classes['hint']}>
          None yet. A tuple holds a few named values; attributes may have it as their type.
        </p>
      )}
      {drop.isError && <ErrorNotice error={drop.error} title="The tuple was not dropped" />}
    </>
  )
}

function NewTupleForm() {
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const create = useCreateTuple()
  const reading = readTupleFields(text)
  const nameProblem = name === '' ? null : identifierProblem(name)
  const submit = () => {
    if (!reading.ok || name === '' || nameProblem !== null) return
    const done = () => {
      setName('')
      setText('')
    }
    create.mutate({ name, fields: reading.fields }, { onSuccess: done })
  }
  return (
    <form
      className={classes['form']}
      aria-label="New tuple type"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextInput
        label="Name"
        data-autofocus
        value={name}
        error={nameProblem}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label="One field per row"
        description="name TYPE, with a length where one is wanted: street STRING(40)"
        autosize
        minRows={3}
        maxRows={10}
        spellCheck={false}
        value={text}
        error={reading.ok || reading.problems.length === 0 ? null : reading.problems.join(' ')}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {create.isError && <ErrorNotice error={create.error} title="The tuple was not created" />}
      <footer className={classes['formActions']}>
        <Refusable refusal={useRefusal(createTuples, '')}>
          <Button
            type="submit"
            disabled={!reading.ok || name === '' || nameProblem !== null}
            loading={create.isPending}
          >
            Create tuple type
          </Button>
        </Refusable>
      </footer>
    </form>
  )
}
