/**
 * The verbs that work on a store without a server: `backup`, `restore`, `copy`, `repair`,
 * `reset-password`. Each returns the lines to print; failures are `DbError`s whose message is for the user.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { FIRST_USER, UserStore } from '#services/auth/user-store.ts'
import { type DocumentStore, LocalDocuments } from '#storage/documents.ts'
import { copyDataFiles, restoreDataFiles } from '#storage/sqlite/backup.ts'
import { repairLog } from '#storage/sqlite/repair.ts'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'

export interface BackupOptions {
  readonly data: string
  readonly target: string
}

/** Works beside a server that has the directory open. */
export function runBackup({ data, target }: BackupOptions): readonly string[] {
  copyDataFiles(data, target)
  return [`Backed up ${data} to ${target}.`]
}

export interface RestoreOptions {
  readonly data: string
  readonly source: string
}

/** @throws DbError INVALID_PARAMETER unless `data` is absent or empty */
export function runRestore({ data, source }: RestoreOptions): readonly string[] {
  restoreDataFiles(source, data)
  return [`Restored ${source} to ${data}; every checksum was verified.`]
}

export interface RepairOptions {
  readonly data: string
  readonly clock: Clock
}

export function runRepair({ data, clock }: RepairOptions): readonly string[] {
  const report = repairLog(data, clock)
  if (report.damagedFile === null) {
    return [`Nothing is damaged: ${data} holds commits up to ${report.keptThrough}.`]
  }
  return [
    ...report.damage,
    `Kept every commit up to ${report.keptThrough}; lost ${report.lostCommitCount} behind it.`,
    ...report.lostDocuments.map((name) => `Lost the document ${name}.`),
    ...lostChanges(report.lostDocumentChanges),
    `The damaged log is now ${report.damagedFile}.`,
  ]
}

function lostChanges(count: number): readonly string[] {
  if (count === 0) return []
  return [`Lost the last ${count} changes of users, queries and other documents.`]
}

export interface ResetPasswordOptions extends RepairOptions {
  /** Empty: the first user. */
  readonly user: string
}

/**
 * For whoever may read the data directory: it holds everything that the password protects.
 * @throws DbError INVALID_PARAMETER for an unknown user, STORE_LOCKED while a server runs
 */
export async function runResetPassword(options: ResetPasswordOptions): Promise<readonly string[]> {
  const { data, clock } = options
  const user = options.user || FIRST_USER
  if (!existsSync(data)) {
    throw new DbError('INVALID_PARAMETER', `There is no data directory ${data}; see --data.`)
  }
  const store = await openSqliteStore({ directory: data, clock })
  try {
    return await withNewPassword(store, user)
  } finally {
    await store.close()
  }
}

/** Gives a user a random password. @returns the lines that show it; @throws DbError INVALID_PARAMETER */
export async function withNewPassword(
  store: DocumentStore,
  user: string,
): Promise<readonly string[]> {
  const users = await UserStore.open(new LocalDocuments(store))
  const password = randomBytes(15).toString('base64url')
  await users.setPassword(user, password)
  return [
    `The password of ${user} is now ${password}`,
    'Sessions of this user have ended; tokens and secrets stay good.',
  ]
}
