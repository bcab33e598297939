/** What a type looks like when it has just been made. */
import type {
  AttributeModel,
  EdgeModel,
  EdgePairModel,
  SchemaModel,
  TypeModel,
  VertexModel,
} from '#lib/graph-schema/schema-model.ts'
import { freeAttributeName, freeTypeName } from './names.ts'

export function newVertex(schema: SchemaModel): VertexModel {
  return {
    kind: 'vertex',
    name: freeTypeName(schema, 'NewVertex'),
    isNew: true,
    isLocal: true,
    primaryId: { syntax: 'PRIMARY_ID', names: ['id'], type: 'STRING', asAttribute: true },
    stats: 'OUTDEGREE_BY_EDGETYPE',
    attributes: [],
    indexes: [],
  }
}

export interface NewEdgeChoice {
  readonly name: string
  readonly pair: EdgePairModel
  readonly directed: boolean
  readonly hasReverse: boolean
}

export function newEdge(schema: SchemaModel, choice: NewEdgeChoice): EdgeModel {
  const { name, pair, directed, hasReverse } = choice
  return {
    kind: 'edge',
    name,
    isNew: true,
    isLocal: true,
    directed,
    pairs: [pair],
    reverseName: directed && hasReverse ? freeTypeName(schema, `reverse_${name}`) : null,
    discriminatorCount: 0,
    attributes: [],
  }
}

export function newAttribute(type: TypeModel): AttributeModel {
  return textAttribute(freeAttributeName(type, 'attribute'))
}

function textAttribute(name: string): AttributeModel {
  return { name, type: 'STRING', defaultText: null, isNew: true }
}

/** `PERSON_COMPANY`, or the next free name after it. */
export function edgeNameFor(schema: SchemaModel, { from, to }: EdgePairModel): string {
  return freeTypeName(schema, `${from}_${to}`)
}
