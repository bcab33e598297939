/**
 * The documents of an export (docs/formats/export.md): what is in the directory, the schema, the
 * queries and jobs, users. An import believes none of them before they have their shape.
 */
import { z } from 'zod'
import { edgeTypeForm, vertexTypeForm } from '#contract/schema-forms.ts'
import { DbError } from '#kernel/errors.ts'

export const EXPORT_FORMAT = 1
export const MANIFEST_FILE = 'quiver-export.json'

/** A name in the directory: no way out of it. */
const fileName = z.string().regex(/^\w[\w.-]{0,1000}$/)

const fileSum = z.object({
  file: fileName,
  sizeBytes: z.number().int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

const elements = fileSum.extend({
  kind: z.enum(['vertices', 'edges']),
  /** The graph that takes the payloads. */
  graph: z.string(),
  type: z.string(),
  count: z.number().int().min(0),
})

export const manifestForm = z.object({
  format: z.literal(EXPORT_FORMAT),
  product: z.string(),
  madeAt: z.string(),
  /** Names of graphs; null: the whole database. */
  graphs: z.array(z.string()).nullable(),
  schema: fileSum.nullable(),
  template: fileSum.nullable(),
  users: fileSum.extend({ isEncrypted: z.boolean() }).nullable(),
  /** In the order in which they are imported; null: no data. */
  data: z.array(elements).nullable(),
})

export type ExportManifest = z.infer<typeof manifestForm>

const tupleField = z.object({
  name: z.string(),
  type: z.string(),
  length: z.number().int().optional(),
})

export const schemaForm = z.object({
  tuples: z.array(z.object({ name: z.string(), fields: z.array(tupleField) })),
  accums: z.array(z.object({ name: z.string(), text: z.string() })).optional(),
  vertexTypes: z.array(
    z.object({
      graph: z.string().nullable(),
      definition: vertexTypeForm,
      indexes: z.array(z.object({ indexName: z.string(), attributeName: z.string() })),
    }),
  ),
  edgeTypes: z.array(z.object({ graph: z.string().nullable(), definition: edgeTypeForm })),
  graphs: z.array(
    z.object({
      name: z.string(),
      vertexTypes: z.array(z.string()),
      edgeTypes: z.array(z.string()),
    }),
  ),
})

export const templateForm = z.object({
  queries: z.array(
    z.object({
      /** Empty: a template query of a package. */
      graph: z.string(),
      name: z.string().regex(/^\w+(\.\w+)*$/),
      text: z.string(),
      status: z.enum(['VALID', 'DRAFT']),
      installed: z.boolean(),
      description: z.object({
        text: z.string().nullable(),
        parameters: z.array(z.object({ paramName: z.string(), description: z.string() })),
      }),
      owner: z.string().optional(),
    }),
  ),
  jobs: z.array(
    z.object({
      name: z.string().regex(/^\w+$/),
      graph: z.string().nullable(),
      kind: z.enum(['schema', 'loading']),
      text: z.string(),
      isJson: z.literal(true).optional(),
    }),
  ),
  dataSources: z.array(
    z.object({
      name: z.string().regex(/^\w+$/),
      graph: z.string().nullable(),
      type: z.string(),
      config: z.record(z.string(), z.unknown()),
      grantedTo: z.array(z.string()),
    }),
  ),
})

export type TemplateDocument = z.infer<typeof templateForm>

/** @throws DbError INVALID_PARAMETER naming the file and what does not fit */
export function readDocument<T>(form: z.ZodType<T>, text: string, file: string): T {
  const result = form.safeParse(jsonOf(text, file))
  if (result.success) return result.data
  const [issue] = result.error.issues
  const where = issue?.path.map(String).join('.') || 'it'
  throw new DbError('INVALID_PARAMETER', `${file} cannot be read: ${where}: ${issue?.message}`)
}

/** Newer formats are told apart from what is none. @throws DbError UNSUPPORTED_FORMAT */
export function readManifest(text: string): ExportManifest {
  const { format } = (jsonOf(text, MANIFEST_FILE) ?? {}) as { format?: unknown }
  if (typeof format === 'number' && format > EXPORT_FORMAT) {
    const found = `The export has format ${format}, this release reads up to ${EXPORT_FORMAT}`
    throw new DbError('UNSUPPORTED_FORMAT', `${found}: import it with the release that made it.`)
  }
  return readDocument(manifestForm, text, MANIFEST_FILE)
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new DbError('INVALID_PARAMETER', `${file} is not JSON.`, { cause })
  }
}
