/**
 * Prints what the segment file of a data directory holds, and checks every blob.
 *
 *     node server/tools/inspect-segment.ts DATA_DIR
 *
 * The server must not run: the check reads everything.
 */
import { dataFiles } from '#storage/sqlite/directory.ts'
import { lockDirectory } from '#storage/sqlite/lock.ts'
import { SegmentFile } from '#storage/sqlite/segment-file.ts'

const directory = process.argv[2]
if (directory === undefined) {
  console.error('usage: node server/tools/inspect-segment.ts DATA_DIR')
  process.exit(2)
}
const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }
const lock = lockDirectory(directory, clock)
const segments = new SegmentFile({ path: dataFiles(directory).segments })
const manifest = segments.manifest()
if (manifest === null) console.log('no segments')
else {
  console.log(`folded up to frame ${manifest.foldedSequence}`)
  console.log(`description: ${manifest.description}`)
  for (const { key, sizeBytes, crc32 } of manifest.blobs) {
    const crc = crc32.toString(16).padStart(8, '0')
    console.log(`${key}  ${sizeBytes} bytes  crc ${crc}  ${verdict(key)}`)
  }
}
segments.close()
lock.release()

function verdict(key: string): string {
  try {
    segments.readBlob(key)
    return 'sound'
  } catch (error) {
    return `DAMAGED ${error instanceof Error ? error.message : error}`
  }
}
