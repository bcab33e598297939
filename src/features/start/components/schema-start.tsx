/** From a pasted schema to a graph: JSON makes the graph that is named here, GSQL says it itself. */
import { Button, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useRefusal } from '#api/rights.ts'
import { createGraph } from '#contract/schema.ts'
import { identifierProblem } from '#lib/graph-schema/identifier.ts'
import { readTypes } from '#lib/graph-schema/types-json.ts'
import { paths } from '#lib/paths.ts'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { TextBlock } from '#ui/layout/text-block.tsx'
import { useMakeGraph, useRunScript } from '../api/start.ts'
import { tellsFailure } from '../model/script-failure.ts'
import classes from '../start-page.module.css'

const example = `CREATE VERTEX Person (PRIMARY_ID id STRING, name STRING)
CREATE UNDIRECTED EDGE Knows (FROM Person, TO Person, since DATETIME)
CREATE GRAPH people (Person, Knows)`

interface SchemaStartProps {
  /** Names that a new graph cannot have. */
  readonly graphs: readonly string[]
}

export function SchemaStart({ graphs }: SchemaStartProps) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [graph, setGraph] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const make = useMakeGraph()
  const script = useRunScript()
  const refusal = useRefusal(createGraph, '')
  const isJson = /^\s*[[{]/.test(text)
  const graphProblem = isJson && graph !== '' ? nameProblem(graph, graphs) : null
  const submit = () => {
    setProblem(null)
    if (!isJson) return script.mutate(text)
    const types = readTypes(text)
    if (!types.ok) return setProblem(types.problem)
    const schema = { VertexTypes: types.vertices, EdgeTypes: types.edges }
    make.mutate({ graph, schema }, { onSuccess: () => void navigate(paths.schema(graph)) })
  }
  const error = isJson ? make.error : script.error
  return (
    <form
      className={classes.way}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Textarea
        label="Schema"
        description="JSON with VertexTypes and EdgeTypes as a schema listing has them, or a GSQL script"
        placeholder={example}
        className={classes.text ?? ''}
        autosize
        minRows={12}
        maxRows={24}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {isJson && (
        <TextInput
          className={classes.name ?? ''}
          label="Graph"
          value={graph}
          error={graphProblem}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setGraph(event.currentTarget.value)}
        />
      )}
      {problem !== null && (
        <p className={classes.warning} role="alert">
          {problem}
        </p>
      )}
      {error !== null && <ErrorNotice error={error} title="The schema was not created" />}
      {/* A script may do anything: the server looks at each of its commands. */}
      <Refusable refusal={isJson ? refusal : null}>
        <Button
          type="submit"
          disabled={text.trim() === '' || (isJson && (graph === '' || graphProblem !== null))}
          loading={make.isPending || script.isPending}
        >
          {isJson ? 'Create the graph' : 'Run the script'}
        </Button>
      </Refusable>
      {script.isSuccess && !isJson && <Outcome {...script.data} />}
    </form>
  )
}

interface OutcomeProps {
  readonly output: string
  readonly made: readonly string[]
}

function Outcome({ output, made }: OutcomeProps) {
  return (
    <>
      <TextBlock label="What the server printed" text={output} maxHeight="30vh" />
      {made.length === 0 && !tellsFailure(output) && (
        <p className={classes.warning} role="alert">
          The script made no graph: CREATE GRAPH name (…) makes one.
        </p>
      )}
      {made.map((name) => (
        <Button key={name} component={Link} to={paths.schema(name)}>
          Open the graph {name}
        </Button>
      ))}
    </>
  )
}

function nameProblem(name: string, graphs: readonly string[]): string | null {
  return graphs.includes(name) ? `There is a graph ${name} already.` : identifierProblem(name)
}
