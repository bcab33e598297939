/**
 * The verbs that work on a data directory without a server: `backup`, `restore`, `repair`. Each
 * returns the lines to print; failures are `DbError`s whose message is for the user.
 */
import type { Clock } from '#kernel/clock.ts'
import { copyDataFiles, restoreDataFiles } from '#storage/sqlite/backup.ts'
import { repairLog } from '#storage/sqlite/repair.ts'

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
  return [`Restored ${source} to ${data}; every frame and segment was checked.`]
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
    `The damaged log is now ${report.damagedFile}.`,
  ]
}
