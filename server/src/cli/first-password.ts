/**
 * The first user's password for the first start, from QUIVER_PASSWORD or from the file of
 * `--password-file`: with it a new server can listen to others at once. It sets the password while
 * that is the one everybody knows, and later starts ignore it.
 */
import { readFileSync } from 'node:fs'
import { DbError } from '#kernel/errors.ts'
import { FIRST_PASSWORD } from '#services/auth/user-store.ts'
import { fileReason } from '#storage/files/reasons.ts'
import type { Environment } from './settings.ts'

const VARIABLE = 'QUIVER_PASSWORD'

/**
 * @param file null: none was named
 * @returns null where there is no first password
 * @throws DbError INVALID_PARAMETER; no message contains the password
 */
export function readFirstPassword(environment: Environment, file: string | null): string | null {
  const own = environment[VARIABLE]
  if (own !== undefined && file !== null) {
    throw invalid(`${VARIABLE} and --password-file (QUIVER_PASSWORD_FILE) exclude each other`)
  }
  if (own !== undefined) return checked(own, VARIABLE)
  if (file === null) return null
  return checked(readText(file), `the password file ${file}`)
}

function readText(file: string): string {
  try {
    // Editors and `echo` end a file with a line break, which is no part of the password.
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw invalid(`the password file ${file} ${fileReason(cause, 'read')}`, cause)
  }
}

function checked(password: string, source: string): string {
  if (password === '') throw invalid(`${source} is empty`)
  if (/[\r\n\0]/.test(password)) throw invalid(`${source} holds more than one line`)
  if (password === FIRST_PASSWORD) {
    throw invalid(`${source} holds the initial password, which everybody knows`)
  }
  return password
}

function invalid(message: string, cause?: unknown): DbError {
  return new DbError('INVALID_PARAMETER', message, cause === undefined ? {} : { cause })
}
