/**
 * Users, roles and secrets of an export: hashes of passwords, not passwords. The document is always
 * encrypted (scrypt, AES-256-GCM) with a password of the export. Documents that earlier versions
 * wrote in the clear can still be read.
 */
import {
  createCipheriv,
  createDecipheriv,
  randomBytes,
  type ScryptOptions,
  scrypt,
} from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { type GrantedPrivilege, privileges } from '#contract/privileges.ts'
import { DbError } from '#kernel/errors.ts'
import type { RoleStore } from '../auth/role-store.ts'
import type { UserStore } from '../auth/user-store.ts'
import { readDocument } from './export-manifest.ts'

export interface UserStores {
  readonly users: UserStore
  readonly roles: RoleStore
}

const known = Object.values(privileges).flat() as readonly GrantedPrivilege[]
const someOfThem = z.array(z.enum(known as [GrantedPrivilege]))
const scopePrivileges = z.object({
  privileges: someOfThem,
  childPermissions: z.record(z.string(), z.object({ privileges: someOfThem })).default({}),
})

const userForm = z.object({
  name: z.string().regex(/^[\w.@-]{1,256}$/),
  password: z.object({ salt: z.string(), hash: z.string(), cost: z.number().int() }),
  passwordIsDefault: z.boolean(),
  passwordVersion: z.number().int(),
  generation: z.string().optional(),
  roles: z.record(z.string(), z.array(z.string())),
  secrets: z.array(z.object({ alias: z.string(), value: z.string() })),
})

const userDocument = z.object({
  users: z.array(userForm),
  roles: z.array(
    z.object({
      name: z.string().regex(/^[A-Za-z_]\w{0,255}$/),
      graph: z.string().nullable(),
      privileges: z.record(z.string(), scopePrivileges),
    }),
  ),
})

export type UserDocument = z.infer<typeof userDocument>

/** N of scrypt: of new documents, and of those that do not name it. */
const COST = 2 ** 16
const COST_UNNAMED = 2 ** 14
const BLOCK_SIZE = 8

const sealedForm = z.object({
  salt: z.string(),
  iv: z.string(),
  tag: z.string(),
  data: z.string(),
  /** A file chooses how much memory reading it takes, so that other values are refused. */
  cost: z.union([z.literal(COST_UNNAMED), z.literal(COST)]).default(COST_UNNAMED),
})

const PASSWORD_CHARS_MIN = 8

/** @throws DbError INVALID_PARAMETER: secrets and password hashes are never written in the clear */
export function requireExportPassword(password: string | null): string {
  if (password !== null && password.length >= PASSWORD_CHARS_MIN) return password
  const text = `An export with users needs a password of at least ${PASSWORD_CHARS_MIN} characters: it encrypts their secrets and the hashes of their passwords.`
  throw new DbError('INVALID_PARAMETER', text)
}

export async function writeUsers({ users, roles }: UserStores, password: string): Promise<string> {
  const text = JSON.stringify({ users: users.listWithSecrets(), roles: roles.list() })
  const salt = randomBytes(16)
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', await keyOf(password, salt, COST), iv)
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const parts = { salt, iv, tag: cipher.getAuthTag(), data }
  const encoded = Object.entries(parts).map(([name, bytes]) => [name, bytes.toString('base64')])
  return JSON.stringify({ cost: COST, ...Object.fromEntries(encoded) })
}

/** @throws DbError INVALID_PARAMETER for another password, or none where one is needed */
export async function readUsers(
  text: string,
  file: string,
  password: string | null,
): Promise<UserDocument> {
  return readDocument(userDocument, await opened(text, file, password), file)
}

async function opened(text: string, file: string, password: string | null): Promise<string> {
  const sealed = sealedForm.safeParse(JSON.parse(text))
  if (!sealed.success) return text
  if (password === null) {
    throw new DbError('INVALID_PARAMETER', `${file} is encrypted: the import needs its password.`)
  }
  const [salt, iv, tag, data] = (['salt', 'iv', 'tag', 'data'] as const).map((name) =>
    Buffer.from(sealed.data[name], 'base64'),
  ) as [Buffer, Buffer, Buffer, Buffer]
  try {
    const key = await keyOf(password, salt, sealed.data.cost)
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 })
    decipher.setAuthTag(tag)
    return Buffer.concat([decipher.update(data), decipher.final()]).toString()
  } catch (cause) {
    throw new DbError('INVALID_PARAMETER', `${file} does not open with this password.`, { cause })
  }
}

const scryptKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

function keyOf(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  // Twice what the algorithm takes: the limit of the library counts a little more.
  const maxmem = 2 * 128 * cost * BLOCK_SIZE
  return scryptKey(password, salt, 32, { N: cost, r: BLOCK_SIZE, p: 1, maxmem })
}

/** Users of the document take the place of those with their names; others stay. */
export async function putUsers(
  { users, roles }: UserStores,
  document: UserDocument,
): Promise<void> {
  for (const role of document.roles) await roles.put(role)
  for (const { generation, ...user } of document.users) {
    await users.restore({ ...user, ...(generation !== undefined && { generation }) })
  }
}
