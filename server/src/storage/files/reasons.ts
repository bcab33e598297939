/** Why the system refuses a file or a directory, in words for the operator. */
import { lstatSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import process from 'node:process'

type Use = 'read' | 'write'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a directory, or lies below a file',
  EISDIR: 'is a directory',
  EROFS: 'lies on a read-only file system',
  ENOSPC: 'lies on a device without free space',
  EDQUOT: 'lies where the disk quota of this user is used up',
  ELOOP: 'leads through too many symbolic links',
  ENAMETOOLONG: 'is too long a path',
  EMFILE: 'cannot be opened: this process may open no more files',
  ENFILE: 'cannot be opened: this machine may open no more files',
}

/** The end of a sentence that begins with the path. */
export function fileReason(error: unknown, use: Use): string {
  const { code } = error as { code?: string }
  if (code === 'EACCES' || code === 'EPERM') {
    return `may not be ${use === 'read' ? 'read' : 'written'} by this user${userSuffix()}`
  }
  const verb = use === 'read' ? 'read' : 'written'
  return reasons[code ?? ''] ?? `cannot be ${verb} (${code ?? String(error)})`
}

function userSuffix(): string {
  const uid = process.getuid?.()
  return uid === undefined ? '' : ` (uid ${uid})`
}

/**
 * Why a directory could not be made. The path that was refused is the last one that exists.
 * @returns a sentence that begins with that path
 */
export function directoryReason(directory: string, error: unknown): string {
  const place = lastThatExists(resolve(directory))
  const isDirectory = statSync(place, { throwIfNoEntry: false })?.isDirectory()
  if (isDirectory === false) return `${place} is not a directory`
  // As below /proc.
  if ((error as { code?: string }).code === 'ENOENT')
    return `${place} does not allow new directories`
  return `${place} ${fileReason(error, 'write')}`
}

/** The path itself, or the nearest directory above it. */
export function lastThatExists(path: string): string {
  const parent = dirname(path)
  return parent === path || exists(path) ? path : lastThatExists(parent)
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    // Not to be entered by this user, or below a file.
    return false
  }
}
