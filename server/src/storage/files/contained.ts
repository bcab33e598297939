/**
 * Files below one directory whose paths come from users. A path that leads out of the directory is
 * refused by its text, before anything is touched. Below the directory no symbolic link is
 * followed, at no part of a path: folders are checked and made one by one, and files are opened
 * with O_NOFOLLOW. The directory itself may be a link, since the operator chose it.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

export const PRIVATE_FOLDER_MODE = 0o700
export const PRIVATE_FILE_MODE = 0o600

/** A part of a path is a link, or not what it must be: a folder on the way, a file at the end. */
export class LinkInPath extends Error {}

/**
 * The full path of a name: a relative one begins at the directory, an absolute one must lead into
 * it.
 * @returns null for a path that does not lie below the directory
 */
export function containedPath(directory: string, name: string): string | null {
  if (name === '' || name.includes('\0')) return null
  const root = resolve(directory)
  const path = isAbsolute(name) ? resolve(name) : resolve(join(root, name))
  return isBelow(root, path) ? path : null
}

/** Whether a path lies below a directory; both are absolute and resolved. */
export function isBelow(directory: string, path: string): boolean {
  return (
    path !== directory && path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
  )
}

/**
 * Makes the missing folders of a path, each readable by its owner only.
 * @param folder below `directory`, or the directory itself
 * @throws LinkInPath for a link or a file in the place of a folder
 */
export function makeFolders(directory: string, folder: string): void {
  const root = resolve(directory)
  mkdirSync(root, { recursive: true, mode: PRIVATE_FOLDER_MODE })
  let place = root
  for (const part of partsBelow(root, folder)) {
    place = join(place, part)
    if (statOf(place) === null) makeFolder(place)
    requireFolder(place)
  }
}

/** @throws LinkInPath when a folder on the way is a link, or is no folder */
export function checkFolders(directory: string, folder: string): void {
  const root = resolve(directory)
  let place = root
  for (const part of partsBelow(root, folder)) {
    place = join(place, part)
    requireFolder(place)
  }
}

/**
 * Opens a file for reading. A pipe or a device is refused: reading it could wait for ever.
 * @param path below `directory`
 * @throws LinkInPath; the system's errors when the file does not exist
 */
export function openContained(directory: string, path: string): number {
  checkFolders(directory, dirname(path))
  if (statOf(path)?.isSymbolicLink()) throw new LinkInPath(path)
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | O_NONBLOCK)
  try {
    requireSamePlace(directory, path)
    if (!fstatSync(descriptor).isFile()) throw new LinkInPath(path)
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/**
 * Creates a file that does not exist yet, and the folders that it needs.
 * @param path below `directory`
 * @throws LinkInPath; the system's errors
 */
export function createContained(directory: string, path: string): number {
  makeFolders(directory, dirname(path))
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const descriptor = openSync(path, flags, PRIVATE_FILE_MODE)
  try {
    requireSamePlace(directory, path)
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** Windows has no such flag; there is no waiting for pipes in a directory there, either. */
const O_NONBLOCK = constants.O_NONBLOCK ?? 0

function partsBelow(root: string, folder: string): string[] {
  const path = relative(root, resolve(folder))
  return path === '' ? [] : path.split(sep)
}

function makeFolder(place: string): void {
  try {
    mkdirSync(place, { mode: PRIVATE_FOLDER_MODE })
  } catch (error) {
    // Another run may have made it meanwhile; what it is the caller checks.
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
}

function requireFolder(place: string): void {
  const found = lstatSync(place)
  if (!found.isDirectory()) throw new LinkInPath(place)
}

/** After the file was opened: a folder that was exchanged for a link in between shows here. */
function requireSamePlace(directory: string, path: string): void {
  const root = resolve(directory)
  const expected = join(realpathSync(root), relative(root, dirname(path)))
  if (realpathSync(dirname(path)) !== expected) throw new LinkInPath(path)
}

function statOf(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null
}
