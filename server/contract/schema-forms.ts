/** The JSON forms of types, attributes and tuples. */
import { z } from 'zod'
import { name } from './parameters.ts'

/** `Name`, or `AttributeName`: the specification and the product spell the primary id differently. */
const attributeTypeForm = z.object({
  Name: z.string(),
  ValueTypeName: z.string().optional(),
  KeyTypeName: z.string().optional(),
  FixedBinaryLength: z.number().int().optional(),
})

/** A default may be written as a JSON number or boolean; it is kept as text. */
const defaultValue = z
  .union([z.string(), z.number(), z.bigint(), z.boolean()])
  .transform((value) => String(value))

const attributeFields = {
  AttributeType: attributeTypeForm,
  DefaultValue: defaultValue.optional(),
  IsPrimaryKey: z.boolean().optional(),
  IsUsingNewSyntax: z.boolean().optional(),
  IsPartOfCompositeKey: z.boolean().optional(),
  PrimaryIdAsAttribute: z.boolean().optional(),
  HasIndex: z.boolean().optional(),
  IndexName: z.string().optional(),
  IsDiscriminator: z.boolean().optional(),
  Description: z.string().optional(),
}

export const attributeForm = z.object({ AttributeName: name, ...attributeFields })

const primaryIdForm = z
  .object({ AttributeName: name.optional(), Name: name.optional(), ...attributeFields })
  .transform(({ Name, AttributeName, ...rest }, context) => {
    const named = AttributeName ?? Name
    if (named !== undefined) return { AttributeName: named, ...rest }
    context.addIssue({
      code: 'custom',
      message: 'AttributeName is required',
      path: ['AttributeName'],
    })
    return z.NEVER
  })

/** Other keys of the product (`TAGGABLE`, …) are read and dropped. */
const configForm = z
  .record(z.string(), z.unknown())
  .default({})
  .transform((config) => {
    const kept: Record<string, string | boolean> = {}
    for (const [key, value] of Object.entries(config)) {
      if (typeof value === 'string' || typeof value === 'boolean') kept[key.toUpperCase()] = value
    }
    return kept
  })

/** A vector attribute: INDEXTYPE and DATATYPE know one value each. */
const vectorForm = z.object({
  Name: name,
  Dimension: z.number().int(),
  IndexType: z.string().optional(),
  DataType: z.string().optional(),
  Metric: z.string().optional(),
  Description: z.string().optional(),
})

export const vertexTypeForm = z.object({
  Name: name,
  PrimaryId: primaryIdForm,
  Attributes: z.array(attributeForm).default([]),
  Config: configForm,
  EmbeddingAttributes: z.array(vectorForm).optional(),
  IsLocal: z.boolean().optional(),
  Description: z.string().optional(),
})

export const edgePairForm = z.object({ From: name, To: name })

export const edgeTypeForm = z.object({
  Name: name,
  IsDirected: z.boolean().default(false),
  FromVertexTypeName: z.string().default('*'),
  ToVertexTypeName: z.string().default('*'),
  EdgePairs: z.array(edgePairForm).optional(),
  Attributes: z.array(attributeForm).default([]),
  DiscriminatorCount: z.number().int().optional(),
  CompositeDiscriminator: z.array(name).optional(),
  Config: configForm,
  IsLocal: z.boolean().optional(),
  Description: z.string().optional(),
})

const indexForm = z.object({ indexName: name, attributeName: name })
export const indexForms = z.array(indexForm).min(1)

/** An attribute, vector or primary id that gets another name, or an attribute a wider type. */
const attributeChangeForm = z.object({
  /** The name it has now. */
  name,
  newName: name.optional(),
  AttributeType: attributeTypeForm.optional(),
})

const alterationFields = {
  /** What the type is called from now on. */
  newName: name.optional(),
  changeAttributes: z.array(attributeChangeForm).optional(),
  addAttributes: z.array(attributeForm).optional(),
  dropAttributes: z.array(name).optional(),
  /** What people say of the type; an empty text takes it away. */
  description: z.string().optional(),
  describeAttributes: z.array(z.object({ name, description: z.string() })).optional(),
}

export const vertexAlterationForm = z.object({
  ...alterationFields,
  addIndexAttributes: z.array(indexForm).optional(),
  dropIndexAttributes: z.array(name).optional(),
  addEmbeddingAttributes: z.array(vectorForm).optional(),
  dropEmbeddingAttributes: z.array(name).optional(),
})

export const edgeAlterationForm = z.object({
  ...alterationFields,
  newReverseName: name.optional(),
  addEdgePairs: z.array(edgePairForm).optional(),
})

const names = z.array(name).default([])

/** The body of one atomic schema change; every key optional. */
export const schemaChangeForm = z.object({
  addVertexTypes: z.array(vertexTypeForm).default([]),
  addEdgeTypes: z.array(edgeTypeForm).default([]),
  alterVertexTypes: z.array(vertexAlterationForm.extend({ name })).default([]),
  alterEdgeTypes: z.array(edgeAlterationForm.extend({ name })).default([]),
  dropVertexTypes: names,
  dropEdgeTypes: names,
  graphs: z
    .array(
      z.object({
        graphName: name,
        addVertexTypes: names,
        dropVertexTypes: names,
        addEdgeTypes: names,
        dropEdgeTypes: names,
      }),
    )
    .default([]),
})

// What the server answers: the same forms, with defaults filled in.

const attributeView = z.object({
  AttributeName: z.string(),
  ...attributeFields,
  DefaultValue: z.string().optional(),
})

const configView = z.record(z.string(), z.union([z.string(), z.boolean()]))

export const vertexTypeView = z.object({
  Name: z.string(),
  PrimaryId: attributeView,
  Attributes: z.array(attributeView).readonly(),
  Config: configView,
  EmbeddingAttributes: z
    .array(
      z.object({
        Name: z.string(),
        Dimension: z.number(),
        IndexType: z.string().optional(),
        DataType: z.string().optional(),
        Metric: z.string().optional(),
        Description: z.string().optional(),
      }),
    )
    .readonly()
    .optional(),
  IsLocal: z.boolean().optional(),
  Description: z.string().optional(),
})

export const edgeTypeView = z.object({
  Name: z.string(),
  IsDirected: z.boolean(),
  FromVertexTypeName: z.string(),
  ToVertexTypeName: z.string(),
  EdgePairs: z.array(edgePairForm).readonly().optional(),
  Attributes: z.array(attributeView).readonly(),
  DiscriminatorCount: z.number().optional(),
  CompositeDiscriminator: z.array(z.string()).readonly().optional(),
  Config: configView,
  IsLocal: z.boolean().optional(),
  Description: z.string().optional(),
})

export const graphSchemaView = z.object({
  GraphName: z.string(),
  VertexTypes: z.array(vertexTypeView).readonly(),
  EdgeTypes: z.array(edgeTypeView).readonly(),
})

export const graphSummaryView = z.object({
  graphName: z.string(),
  vertices: z.array(z.string()).readonly(),
  edges: z.array(z.string()).readonly(),
})

export const tupleView = z.object({
  name: z.string(),
  fields: z
    .array(
      z.object({
        fieldName: z.string(),
        fieldType: z.string(),
        length: z.number().optional(),
      }),
    )
    .readonly(),
})
