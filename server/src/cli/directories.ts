/**
 * Loading jobs, queries and exports have directories of their own. A user who may read the files
 * of one must not reach the files of another, nor those of the store, so that the server refuses to
 * start when one of these directories contains another.
 */
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { DbError } from '#kernel/errors.ts'
import { isBelow } from '#storage/files/contained.ts'
import { fileReason, lastThatExists } from '#storage/files/reasons.ts'
import type { ProgramOptions } from './options.ts'

type Paths = Pick<ProgramOptions, 'data' | 'files' | 'queryFiles' | 'exports' | 'tls'>

interface Place {
  readonly option: string
  readonly path: string
}

/** First parts of names that the server gives its own files and folders in the data directory. */
const ownNames = ['log.', 'segments.', 'lock.', 'audit.', 'rebuildnow']

/** @throws DbError INVALID_PARAMETER naming the two options that do not go together */
export function checkDirectories({ data, files, queryFiles, exports, tls }: Paths): void {
  const places: Place[] = [
    { option: '--files', path: realPlace(files) },
    { option: '--query-files', path: realPlace(queryFiles) },
    { option: '--exports', path: realPlace(exports) },
  ]
  const home = realPlace(data)
  for (const place of places) checkOutsideStore(place, home)
  for (const [index, place] of places.entries()) {
    for (const other of places.slice(index + 1)) checkApart(place, other)
    for (const file of tls === null ? [] : [tls.cert, tls.key]) checkKeepsOut(place, file)
  }
  // Those in the data directory are made with it.
  for (const place of places) if (!isBelow(home, place.path)) checkUsable(place)
}

/**
 * A directory that is not there yet is made when it is first written: then the one above it counts.
 * @throws DbError INVALID_PARAMETER naming the option, the path and the reason
 */
function checkUsable({ option, path }: Place): void {
  // Loading jobs only read.
  const use = option === '--files' ? 'read' : 'write'
  const { R_OK, W_OK, X_OK } = constants
  const found = lastThatExists(path)
  let reason = 'is not a directory'
  let cause: unknown
  try {
    if (statSync(found).isDirectory()) {
      accessSync(found, R_OK | X_OK | (use === 'write' ? W_OK : 0))
      return
    }
  } catch (error) {
    cause = error
    reason = fileReason(error, use)
  }
  const where = found === path ? '' : `${path} cannot be made: `
  throw new DbError('INVALID_PARAMETER', `${option}: ${where}${found} ${reason}`, { cause })
}

function checkApart(one: Place, other: Place): void {
  if (!overlap(one.path, other.path)) return
  const text = `${one.option} ${one.path} and ${other.option} ${other.path} must not contain one another`
  throw new DbError('INVALID_PARAMETER', text)
}

function checkOutsideStore({ option, path }: Place, home: string): void {
  const [first = ''] = relative(home, path).split(sep)
  const isOwn = isBelow(home, path) && ownNames.some((name) => first.startsWith(name))
  if (path !== home && !isBelow(path, home) && !isOwn) return
  const text = `${option} ${path} must not contain the files of the data directory ${home}`
  throw new DbError('INVALID_PARAMETER', text)
}

function checkKeepsOut({ option, path }: Place, file: string): void {
  if (!isBelow(path, realPlace(file))) return
  throw new DbError('INVALID_PARAMETER', `${option} ${path} must not contain the file ${file}`)
}

function overlap(one: string, other: string): boolean {
  return one === other || isBelow(one, other) || isBelow(other, one)
}

/** With links resolved, as far as the path exists. */
function realPlace(path: string): string {
  const full = resolve(path)
  try {
    return realpathSync.native(full)
  } catch {
    const parent = dirname(full)
    return parent === full ? full : join(realPlace(parent), basename(full))
  }
}
