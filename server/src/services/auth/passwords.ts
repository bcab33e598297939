/** Password hashes: scrypt on the thread pool, never on the main thread. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** Parameters stand beside each hash, so that they can grow without a migration. */
export interface PasswordHash {
  readonly salt: string
  readonly hash: string
  readonly cost: number
}

/** N of scrypt with r = 8, p = 1: 32 MB and some 60 ms per check. */
const COST = 2 ** 15
const KEY_SIZE_BYTES = 32
const SALT_SIZE_BYTES = 16

export async function hashPassword(password: string, cost: number = COST): Promise<PasswordHash> {
  const salt = randomBytes(SALT_SIZE_BYTES)
  const hash = await derive(password, salt, cost)
  return { salt: salt.toString('base64'), hash: hash.toString('base64'), cost }
}

export async function verifyPassword(password: string, expected: PasswordHash): Promise<boolean> {
  const hash = await derive(password, Buffer.from(expected.salt, 'base64'), expected.cost)
  return timingSafeEqual(hash, Buffer.from(expected.hash, 'base64'))
}

/** A random hash, of which nobody knows a password. */
export function unfittingHash(cost: number = COST): PasswordHash {
  const salt = randomBytes(SALT_SIZE_BYTES).toString('base64')
  return { salt, hash: randomBytes(KEY_SIZE_BYTES).toString('base64'), cost }
}

function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  const options = { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_SIZE_BYTES, options, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
}
