/**
 * Whether the program that started the server is still there. npm passes SIGTERM and SIGINT on to its script
 * and nothing else, and none when it is killed: a server that it started would stay behind, unseen.
 */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import type { Environment } from './settings.ts'

const INTERVAL_MS = 500

export interface ParentWatch {
  /** Whether the server belongs to the program that started it. */
  readonly isNeeded: boolean
  parentIsGone(): boolean
}

export interface ProcessTable {
  readonly parent: number
  /** Null: unknown. */
  parentOf(processId: number): number | null
}

/**
 * A server that npm or the launcher started belongs to it; any other may outlive the shell that started it. Between
 * npm and the server there may be a shell, which outlives npm: then its parent counts, too.
 */
export function watchOf(environment: Environment, processes: ProcessTable): ParentWatch {
  const { parent } = processes
  const grandparent = processes.parentOf(parent)
  return {
    isNeeded: isOfNpm(environment) || environment['QUIVER_LAUNCHER'] === String(parent),
    parentIsGone: () =>
      processes.parent !== parent ||
      (grandparent !== null && processes.parentOf(parent) !== grandparent),
  }
}

/** Calls `onGone` once, when the parent has ended. */
export function watchParent(environment: Environment, onGone: () => void): void {
  const watch = watchOf(environment, ownProcesses)
  if (!watch.isNeeded) return
  const timer = setInterval(() => {
    if (!watch.parentIsGone()) return
    clearInterval(timer)
    onGone()
  }, INTERVAL_MS)
  timer.unref()
}

/** The script `start` of a checkout, or `npx`. */
function isOfNpm(environment: Environment): boolean {
  const event = environment['npm_lifecycle_event']
  return event === 'npx' || (event === 'start' && environment['npm_package_name'] === 'quiver')
}

const ownProcesses: ProcessTable = {
  get parent() {
    return process.ppid
  },
  parentOf: (processId) => {
    try {
      // Linux: "pid (name) state ppid …", where the name may contain anything.
      const text = readFileSync(`/proc/${processId}/stat`, 'utf8')
      return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
    } catch {
      return null
    }
  },
}
