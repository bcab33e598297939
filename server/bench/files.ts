/** Small readings of files and processes that several contenders take. */
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

const READ_SIZE_BYTES = 1 << 20
const WRITE_SIZE_CHARS = 1 << 20

export function sizeOfDirectory(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

export function residentBytes(pid: number | 'self'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

/** The records of one of our CSV files without its header; no field is quoted in those. */
export function* csvRecords(path: string): Generator<string[]> {
  let isHeader = true
  for (const line of lines(path)) {
    if (!isHeader) yield line.split(',')
    isHeader = false
  }
}

function* lines(path: string): Generator<string> {
  const file = openSync(path, 'r')
  const buffer = Buffer.allocUnsafe(READ_SIZE_BYTES)
  let rest = ''
  try {
    for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer)) {
      const whole = (rest + buffer.toString('latin1', 0, size)).split('\n')
      rest = whole.pop() as string
      yield* whole
    }
    if (rest !== '') yield rest
  } finally {
    closeSync(file)
  }
}

export function writeLines(path: string, lines: Iterable<string>): void {
  const file = openSync(path, 'w')
  let pending: string[] = []
  let size = 0
  const flush = () => {
    if (pending.length > 0) writeSync(file, `${pending.join('\n')}\n`)
    pending = []
    size = 0
  }
  for (const line of lines) {
    pending.push(line)
    size += line.length
    if (size >= WRITE_SIZE_CHARS) flush()
  }
  flush()
  closeSync(file)
}
