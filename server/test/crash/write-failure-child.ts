/**
 * Appends until the operating system refuses a write (its file size is limited), then tells how the
 * store answered. Argument: data directory. Prints one JSON object.
 */
import { isDbError } from '#kernel/errors.ts'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'

const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }
const store = await openSqliteStore({ directory: process.argv[2]!, clock })
let acknowledged = 0
const codes: string[] = []
while (codes.length < 3) {
  try {
    acknowledged = await store.append(new Uint8Array(5000).fill(acknowledged + 1))
  } catch (error) {
    codes.push(isDbError(error) ? error.code : String(error))
  }
}
let readable = 0
for await (const _ of store.readLog(0)) readable++
process.stdout.write(JSON.stringify({ acknowledged, codes, readable, state: store.state }))
await store.close()
