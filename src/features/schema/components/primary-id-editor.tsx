/** How vertices of a type are told apart: free until the type is published; from then on its name alone. */
import { SegmentedControl, Select, Switch } from '@mantine/core'
import {
  type IdSyntax,
  idSyntaxes,
  idTypes,
  type PrimaryIdModel,
  type VertexModel,
} from '#lib/graph-schema/schema-model.ts'
import { attributeNameProblem } from '../model/names.ts'
import type { Operation } from '../model/operations.ts'
import { idInSyntax } from '../model/vertex-operations.ts'
import { CommitField } from './commit-field.tsx'
import { KeyMembers } from './key-members.tsx'
import classes from './schema.module.css'
import { useRefusal } from './use-refusal.ts'

interface PrimaryIdEditorProps {
  readonly vertex: VertexModel
  readonly apply: (operation: Operation) => string | null
}

const syntaxLabels: Readonly<Record<IdSyntax, string>> = {
  PRIMARY_ID: 'Primary id',
  PRIMARY_KEY: 'Primary key',
  COMPOSITE: 'Composite key',
}

const syntaxHints: Readonly<Record<IdSyntax, string>> = {
  PRIMARY_ID: 'The id stands beside the attributes.',
  PRIMARY_KEY: 'The id is an attribute like any other, and always there.',
  COMPOSITE: 'Several attributes together are the id, joined by commas: Bob,123.',
}

export function PrimaryIdEditor({ vertex, apply }: PrimaryIdEditorProps) {
  const { run, refusal } = useRefusal(apply)
  return (
    <section className={classes['part']} aria-label="Primary id">
      <header className={classes['partHeader']}>
        <h3>Primary id</h3>
      </header>
      {vertex.isNew ? (
        <IdForm vertex={vertex} run={run} />
      ) : (
        <PublishedId vertex={vertex} run={apply} />
      )}
      {refusal !== null && (
        <p className={classes['refusal']} role="alert">
          {refusal}
        </p>
      )}
    </section>
  )
}

interface IdFormProps {
  readonly vertex: VertexModel
  readonly run: PrimaryIdEditorProps['apply']
}

function IdForm({ vertex, run }: IdFormProps) {
  const { primaryId, name } = vertex
  const change = (next: PrimaryIdModel) => run({ kind: 'changeId', name, primaryId: next })
  return (
    <>
      <SegmentedControl
        aria-label="Kind of id"
        fullWidth
        data={idSyntaxes.map((value) => ({ value, label: syntaxLabels[value] }))}
        value={primaryId.syntax}
        onChange={(syntax) => change(idInSyntax(vertex, syntax))}
      />
      <p className={classes['hint']}>{syntaxHints[primaryId.syntax]}</p>
      {primaryId.syntax === 'COMPOSITE' ? (
        <KeyMembers vertex={vertex} onChange={(names) => change({ ...primaryId, names })} />
      ) : (
        <SingleId vertex={vertex} change={change} />
      )}
    </>
  )
}

function PublishedId({ vertex, run }: IdFormProps) {
  const { primaryId, name } = vertex
  const { syntax, names, publishedAs } = primaryId
  const isComposite = syntax === 'COMPOSITE'
  return (
    <>
      {!isComposite && (
        <IdName
          vertex={vertex}
          description={
            publishedAs === undefined
              ? 'Another name keeps the vertices.'
              : `Published as ${publishedAs}: its values stay.`
          }
          change={(next) => run({ kind: 'changeId', name, primaryId: next })}
        />
      )}
      <p className={classes['fact']}>
        <code>{isComposite ? `(${names.join(', ')})` : primaryId.type}</code>
        <span>{idFact(primaryId)}</span>
      </p>
      <p className={classes['hint']}>
        {isComposite && 'Its members are renamed among the attributes. '}
        Edges and loads find vertices by this id, so its kind and type stay. For others, add a new
        vertex type and load the data into it.
      </p>
    </>
  )
}

interface SingleIdProps {
  readonly vertex: VertexModel
  readonly change: (primaryId: PrimaryIdModel) => string | null
}

function IdName({ vertex, change, ...rest }: SingleIdProps & { readonly description?: string }) {
  const { primaryId } = vertex
  const idName = primaryId.names[0] ?? 'id'
  return (
    <CommitField
      {...rest}
      label="Id name"
      value={idName}
      problemOf={(text) => attributeNameProblem(vertex, text, idName)}
      onCommit={(text) => change({ ...primaryId, names: [text] })}
    />
  )
}

function SingleId({ vertex, change }: SingleIdProps) {
  const { primaryId } = vertex
  return (
    <>
      <div className={classes['pair']}>
        <IdName vertex={vertex} change={change} />
        <Select
          label="Id type"
          data={[...idTypes]}
          value={primaryId.type}
          allowDeselect={false}
          onChange={(type) => {
            const chosen = idTypes.find((one) => one === type)
            if (chosen !== undefined) change({ ...primaryId, type: chosen })
          }}
        />
      </div>
      {primaryId.syntax === 'PRIMARY_ID' && (
        <Switch
          label="Queries and reads see the id as an attribute"
          checked={primaryId.asAttribute}
          onChange={(event) => change({ ...primaryId, asAttribute: event.currentTarget.checked })}
        />
      )}
    </>
  )
}

function idFact({ syntax, asAttribute }: PrimaryIdModel): string {
  if (syntax !== 'PRIMARY_ID') return syntaxLabels[syntax].toLowerCase()
  return asAttribute ? 'readable as an attribute' : 'not an attribute'
}
