/** An upsert payload as text, looked over while it is typed. */
import { Button } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { useRefusal } from '#api/rights.ts'
import { upsertData } from '#contract/upsert.ts'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { parseLossless } from '#lib/json/lossless-json.ts'
import { CodeEditor } from '#ui/code-editor/code-editor.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { useUpsert } from '../api/upsert.ts'
import { checkPayload, examplePayload, type PayloadSummary } from '../model/payload-check.ts'
import { defaultOptions } from '../model/upsert-options.ts'
import classes from './data.module.css'
import { OptionsPanel } from './options-panel.tsx'
import { WriteResult } from './outcome.tsx'
import { PayloadEffects } from './payload-effects.tsx'

interface JsonTabProps {
  readonly graph: string
  readonly schema: SchemaModel
}

type Reading =
  | { readonly ok: true; readonly payload: unknown; readonly summary: PayloadSummary }
  | { readonly ok: false; readonly problem: string }

/** The page loads it when the tab is opened: the editor is large. */
export function JsonTab({ graph, schema }: JsonTabProps) {
  const [example] = useState(() => examplePayload(schema))
  const [text, setText] = useState(example)
  const [options, setOptions] = useState(defaultOptions)
  const send = useUpsert(graph)
  const reading = useMemo(() => readPayload(schema, text), [schema, text])
  // One press would store a vertex that nobody meant.
  const isExample = text === example
  const refusal = useRefusal(upsertData, graph)
  const submit = () => {
    if (reading.ok && !isExample && refusal === null) send.mutate({ payload: text, options })
  }
  return (
    <div className={classes['columns']}>
      <section className={classes['editor']} aria-label="Payload">
        <CodeEditor
          label="Upsert payload"
          value={text}
          onChange={setText}
          language="json"
          onSubmit={submit}
        />
      </section>
      <div className={classes['side']}>
        <PayloadPreview reading={reading}>
          {isExample && (
            <p className={classes['hint']}>This is an example. Change it to write it.</p>
          )}
          {reading.ok && !isExample && (
            <PayloadEffects
              {...{ graph, schema, options }}
              payload={reading.payload}
              isWritten={send.isSuccess && send.variables.payload === text}
            />
          )}
        </PayloadPreview>
        <OptionsPanel options={options} onChange={setOptions} />
        <Refusable refusal={refusal}>
          <Button disabled={!reading.ok || isExample} loading={send.isPending} onClick={submit}>
            Write
          </Button>
        </Refusable>
        <WriteResult graph={graph} send={send} />
      </div>
    </div>
  )
}

interface PayloadPreviewProps {
  readonly reading: Reading
  readonly children: ReactNode
}

function PayloadPreview({ reading, children }: PayloadPreviewProps) {
  if (!reading.ok) {
    return (
      <section className={classes['preview']} aria-label="Preview">
        <p className={classes['problem']} role="alert">
          {reading.problem}
        </p>
      </section>
    )
  }
  const { vertices, edges, problems } = reading.summary
  const parts = [...vertices, ...edges].map(({ type, count }) => `${count} ${type}`)
  return (
    <section className={classes['preview']} aria-label="Preview">
      <p>{parts.length === 0 ? 'The payload is empty.' : `Holds ${parts.join(', ')}.`}</p>
      {problems.length > 0 && (
        <ul className={classes['problems']}>
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {children}
    </section>
  )
}

function readPayload(schema: SchemaModel, text: string): Reading {
  try {
    const payload: unknown = parseLossless(text)
    return { ok: true, payload, summary: checkPayload(schema, payload) }
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : 'This is not JSON.' }
  }
}
