/**
 * Prints what a commit log holds, also beside a running server.
 *
 *     node server/tools/inspect-log.ts DATA_DIR [FIRST_SEQUENCE [COUNT]]
 *
 * One line per group, per frame (sequence, size, checksum, first payload bytes) and per document.
 * Damaged frames are named, then the next group is read.
 */
import { crc32 } from 'node:zlib'
import { decodeFrame, type LogPosition } from '#storage/frame/frame.ts'
import { openExisting } from '#storage/sqlite/database.ts'
import { dataFiles } from '#storage/sqlite/directory.ts'
import { LOG_DATABASE } from '#storage/sqlite/log-file.ts'

const [directory, first = '1', count = '100'] = process.argv.slice(2)
if (directory === undefined) {
  console.error('usage: node server/tools/inspect-log.ts DATA_DIR [FIRST_SEQUENCE [COUNT]]')
  process.exit(2)
}
const firstSequence = Number(first)
const endSequence = firstSequence + Number(count)
const database = openExisting(LOG_DATABASE, dataFiles(directory).log)
const anchor = database.prepare('SELECT sequence, crc FROM anchor').get()
let previous: LogPosition = {
  sequence: Number(anchor?.['sequence']),
  crc: Number(anchor?.['crc']),
}
console.log(`anchor: frame ${previous.sequence}, crc ${hex(previous.crc)}`)
for (const row of database.prepare('SELECT * FROM groups ORDER BY first_sequence').iterate()) {
  const last = { sequence: Number(row['last_sequence']), crc: Number(row['last_crc']) }
  if (last.sequence >= firstSequence && previous.sequence + 1 < endSequence) {
    printGroup(row['bytes'] as Uint8Array, last, previous)
  }
  previous = last
}
console.log(`last: frame ${previous.sequence}, crc ${hex(previous.crc)}`)
printDocuments()
database.close()

function printGroup(bytes: Uint8Array, last: LogPosition, before: LogPosition): void {
  console.log(`group ${before.sequence + 1}..${last.sequence}: ${bytes.length} bytes`)
  let position = before
  try {
    for (let offset = 0; offset < bytes.length; ) {
      const frame = decodeFrame(bytes, offset, position)
      offset += frame.sizeBytes
      position = frame
      if (frame.sequence < firstSequence || frame.sequence >= endSequence) continue
      const start = Buffer.from(frame.payload.subarray(0, 16)).toString('hex')
      const size = String(frame.payload.length).padStart(9)
      console.log(`  frame ${frame.sequence}  ${size} bytes  crc ${hex(frame.crc)}  ${start}`)
    }
  } catch (error) {
    console.log(`  DAMAGED ${error instanceof Error ? error.message : error}`)
  }
}

function printDocuments(): void {
  const rows = database.prepare('SELECT * FROM documents ORDER BY collection, key').iterate()
  for (const row of rows) {
    const bytes = row['bytes'] as Uint8Array
    const verdict = crc32(bytes) === Number(row['crc']) ? '' : '  DAMAGED'
    console.log(`document ${row['collection']}/${row['key']}: ${bytes.length} bytes${verdict}`)
  }
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0')
}
