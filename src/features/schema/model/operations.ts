/**
 * The one list that canvas, table, form, JSON and undo all work on. An operation is a small fact;
 * applying it to a schema gives the next schema or says why it cannot be. Nothing here mutates.
 *
 * Applying needs no knowledge of the live schema: every part carries `isNew`, and what the server
 * already holds is treated with more care than what exists in the draft alone.
 */
import {
  type AttributeModel,
  findType,
  type IndexModel,
  type PrimaryIdModel,
  type SchemaModel,
  type StatsKind,
  type TypeModel,
} from '#lib/graph-schema/schema-model.ts'
import { type Applied, accept, refuse } from './applied.ts'
import {
  type AttributeChange,
  addAttributes,
  changeAttribute,
  type DiscriminatorChange,
  dropAttribute,
  setDiscriminator,
} from './attribute-operations.ts'
import { type DescribeOperation, describe } from './descriptions.ts'
import { addIndex, dropIndex } from './index-operations.ts'
import { addType, changeEdge, dropType, type EdgeShape, renameType } from './type-operations.ts'
import {
  addVector,
  dropVector,
  type NewVector,
  renameVector,
  type VectorRename,
} from './vector-operations.ts'
import { changeId, setScope, setStats } from './vertex-operations.ts'

export type Operation =
  | { readonly kind: 'addType'; readonly type: TypeModel }
  | { readonly kind: 'dropType'; readonly name: string }
  | { readonly kind: 'renameType'; readonly name: string; readonly to: string }
  | { readonly kind: 'changeId'; readonly name: string; readonly primaryId: PrimaryIdModel }
  | { readonly kind: 'setStats'; readonly name: string; readonly stats: StatsKind }
  | { readonly kind: 'setScope'; readonly name: string; readonly isLocal: boolean }
  | { readonly kind: 'changeEdge'; readonly name: string; readonly shape: EdgeShape }
  | {
      readonly kind: 'addAttributes'
      readonly name: string
      readonly attributes: readonly AttributeModel[]
    }
  | AttributeChange
  | DiscriminatorChange
  | { readonly kind: 'dropAttribute'; readonly name: string; readonly attribute: string }
  | { readonly kind: 'addIndex'; readonly name: string; readonly index: IndexModel }
  | { readonly kind: 'dropIndex'; readonly name: string; readonly index: string }
  | { readonly kind: 'addVector'; readonly name: string; readonly vector: NewVector }
  | { readonly kind: 'dropVector'; readonly name: string; readonly vector: string }
  | VectorRename
  | DescribeOperation
  | JsonOperation

/** What was written into the text of the schema, as one step. */
export interface JsonOperation {
  readonly kind: 'json'
  /** Tells one sitting from the next: what is written on in it stays the same step. */
  readonly sitting: number
  readonly operations: readonly Operation[]
}

export function applyOperation(schema: SchemaModel, operation: Operation): Applied {
  if ('name' in operation && operation.kind !== 'dropType') {
    const { name } = operation
    // The request could say that it enters, or what changes, and not both.
    if (findType(schema, name)?.isEntering === true) {
      return refuse(`${name} is about to enter the graph: publish that before you change it.`)
    }
  }
  switch (operation.kind) {
    case 'addType':
      return addType(schema, operation.type)
    case 'dropType':
      return dropType(schema, operation.name)
    case 'renameType':
      return renameType(schema, operation.name, operation.to)
    case 'changeId':
      return changeId(schema, operation.name, operation.primaryId)
    case 'setStats':
      return setStats(schema, operation.name, operation.stats)
    case 'setScope':
      return setScope(schema, operation.name, operation.isLocal)
    case 'changeEdge':
      return changeEdge(schema, operation.name, operation.shape)
    case 'addAttributes':
      return addAttributes(schema, operation.name, operation.attributes)
    case 'changeAttribute':
      return changeAttribute(schema, operation)
    case 'setDiscriminator':
      return setDiscriminator(schema, operation)
    case 'dropAttribute':
      return dropAttribute(schema, operation.name, operation.attribute)
    case 'addIndex':
      return addIndex(schema, operation.name, operation.index)
    case 'dropIndex':
      return dropIndex(schema, operation.name, operation.index)
    case 'addVector':
      return addVector(schema, operation.name, operation.vector)
    case 'dropVector':
      return dropVector(schema, operation.name, operation.vector)
    case 'renameVector':
      return renameVector(schema, operation)
    case 'describe':
      return describe(schema, operation)
    case 'json':
      return operation.operations.reduce<Applied>(
        (applied, one) => (applied.ok ? applyOperation(applied.schema, one) : applied),
        accept(schema),
      )
    default:
      return operation satisfies never
  }
}

/** What an undo list and a toast call this operation. */
export function operationLabel(operation: Operation): string {
  switch (operation.kind) {
    case 'addType':
      return operation.type.isNew
        ? `Add ${operation.type.kind} ${operation.type.name}`
        : `Put global ${operation.type.kind} ${operation.type.name} into the graph`
    case 'dropType':
      return `Drop ${operation.name}`
    case 'renameType':
      return `Rename ${operation.name} to ${operation.to}`
    case 'changeId':
      return `Change the id of ${operation.name}`
    case 'setStats':
      return `Change what is counted of ${operation.name}`
    case 'setScope':
      return `Make ${operation.name} ${operation.isLocal ? 'local' : 'global'}`
    case 'changeEdge':
      return `Change ${operation.name}`
    case 'addAttributes':
      return `Add ${operation.attributes.map(({ name }) => name).join(', ')} to ${operation.name}`
    case 'changeAttribute':
      return `Change ${operation.name}.${operation.attribute}`
    case 'setDiscriminator':
      return `Change the discriminator of ${operation.name}`
    case 'dropAttribute':
      return `Drop ${operation.name}.${operation.attribute}`
    case 'addIndex':
      return `Add index ${operation.index.name}`
    case 'dropIndex':
      return `Drop index ${operation.index}`
    case 'addVector':
      return `Add vector ${operation.vector.name} to ${operation.name}`
    case 'dropVector':
      return `Drop vector ${operation.name}.${operation.vector}`
    case 'renameVector':
      return `Rename ${operation.name}.${operation.vector} to ${operation.to}`
    case 'describe':
      return `Describe ${operation.name}${operation.part === null ? '' : `.${operation.part}`}`
    case 'json':
      return jsonLabel(operation)
    default:
      return operation satisfies never
  }
}

function jsonLabel({ operations }: JsonOperation): string {
  const [first, ...more] = operations.map(operationLabel)
  return more.length === 0 ? `JSON: ${first}` : `JSON: ${first} and ${more.length} more`
}
