/** Attributes of one element, and a form in their place to change them: texts, exact to the digit. */
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { useRefusal } from '#api/rights.ts'
import { upsertData } from '#contract/upsert.ts'
import type { AttributeModel } from '#lib/graph-schema/schema-model.ts'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import {
  editableAttributes,
  fieldText,
  type Texts,
  textProblems,
} from '../model/attribute-write.ts'
import type { SceneEdge, SceneVertex } from '../model/scene.ts'
import type { Explorer } from '../use-explorer.ts'
import { AttributeList } from './attribute-list.tsx'
import classes from './inspector.module.css'

interface AttributeEditorProps {
  readonly graph: string
  readonly explorer: Explorer
  /** With its attributes read. */
  readonly element: SceneVertex | SceneEdge
}

export function AttributeEditor({ graph, explorer, element }: AttributeEditorProps) {
  const schema = useQuery(graphSchemaQuery(graph))
  const [editing, setEditing] = useState(false)
  const refusal = useRefusal(upsertData, graph)
  const opener = useRef<HTMLButtonElement>(null)
  const attributes = element.attributes ?? {}
  const editable = schema.data === undefined ? [] : editableAttributes(schema.data, element.type)
  // The form is gone after its last drawing, and the focus would be with it.
  const wasEditing = useRef(false)
  useEffect(() => {
    if (wasEditing.current && !editing) opener.current?.focus()
    wasEditing.current = editing
  }, [editing])
  if (editing) {
    return (
      <EditForm
        {...{ explorer, element, attributes: editable }}
        onClose={() => setEditing(false)}
      />
    )
  }
  return (
    <>
      <AttributeList attributes={attributes} />
      {editable.length > 0 && (
        <div>
          <Refusable refusal={refusal}>
            <Button
              ref={opener}
              variant="default"
              leftSection={<Pencil size={13} aria-hidden="true" />}
              onClick={() => setEditing(true)}
            >
              Edit attributes
            </Button>
          </Refusable>
        </div>
      )}
    </>
  )
}

interface EditFormProps {
  readonly explorer: Explorer
  readonly element: SceneVertex | SceneEdge
  readonly attributes: readonly AttributeModel[]
  readonly onClose: () => void
}

function EditForm({ explorer, element, attributes, onClose }: EditFormProps) {
  // What the form began with: what is written is held against it.
  const [before] = useState<Texts>(() => textsOf(element, attributes))
  const [texts, setTexts] = useState(before)
  const saving = useMutation({ mutationFn: explorer.edit, onSuccess: onClose })
  const changed = attributes.filter(({ name }) => texts[name] !== before[name])
  const problems = textProblems(changed, texts)
  const save = () => {
    if (changed.length === 0) return onClose()
    if (problems.size > 0 || saving.isPending) return
    const only = (all: Texts): Texts =>
      Object.fromEntries(changed.map(({ name }) => [name, all[name] ?? '']))
    saving.mutate({ element, before: only(before), after: only(texts) })
  }
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }
  return (
    <form
      className={classes.form}
      aria-label="Attributes"
      onKeyDown={keys}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      {attributes.map(({ name, type }, place) => (
        <Field
          key={name}
          name={name}
          type={type}
          text={texts[name] ?? ''}
          problem={problems.get(name)}
          isFirst={place === 0}
          onChange={(text) => setTexts({ ...texts, [name]: text })}
        />
      ))}
      {saving.isError && <ErrorNotice title="It was not saved" error={saving.error} />}
      <div className={classes.actions}>
        <Button type="submit" loading={saving.isPending} disabled={problems.size > 0}>
          {changed.length === 0 ? 'Save' : `Save ${changed.length}`}
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

interface FieldProps {
  readonly name: string
  readonly type: string
  readonly text: string
  readonly problem: string | undefined
  readonly isFirst: boolean
  readonly onChange: (text: string) => void
}

function Field({ name, type, text, problem, isFirst, onChange }: FieldProps) {
  const shared = {
    label: `${name} (${type})`,
    value: text,
    error: problem,
    autoFocus: isFirst,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
  }
  if (type === 'BOOL') return <NativeSelect {...shared} data={['true', 'false']} />
  if (/^(LIST|SET|MAP)/.test(type)) return <Textarea {...shared} autosize spellCheck={false} />
  const isNumber = /^U?INT$|^FLOAT$|^DOUBLE$/.test(type)
  return <TextInput {...shared} spellCheck={false} inputMode={isNumber ? 'decimal' : 'text'} />
}

function textsOf(element: SceneVertex | SceneEdge, attributes: readonly AttributeModel[]): Texts {
  return Object.fromEntries(
    attributes.map(({ name }) => [name, fieldText(element.attributes?.[name])]),
  )
}
