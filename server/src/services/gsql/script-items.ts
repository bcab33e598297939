/**
 * A script as a list of items: commands, scripts that it calls (`@path.gsql`), and what ends it. A
 * large script is read on the compiler's thread, which sends the items as bytes: each is decoded
 * when it is reached, so that no number of them holds the event loop.
 */
import { deserialize, serialize } from 'node:v8'
import { SCRIPT_COMMANDS_MAX } from '#kernel/limits.ts'
import { type ScriptItem as Statement, scriptCommands } from '#query/syntax/script/script.ts'

export type ScriptItem =
  | Statement
  /** The script in that file is run here. */
  | { readonly kind: 'file'; readonly path: string }
  /** Nothing follows it. */
  | { readonly kind: 'refusal'; readonly message: string }

/** Items as bytes: item `i` ends at `ends[i]` and begins where the one before it ends. */
export interface PackedItems {
  readonly bytes: Uint8Array<SharedArrayBuffer>
  readonly ends: Uint32Array
}

/**
 * `@path.gsql` alone on its line: a script in the directory for loading. No two parts of the pattern
 * match the same character, so the time grows with the length of the line alone.
 */
const SCRIPT_LINE = /^[ \t]*@([\w./-]+\.gsql)[ \t]*(?:;[ \t]*)?$/m

export function* scriptItems(text: string): Generator<ScriptItem> {
  let count = 0
  for (const [index, part] of text.split(SCRIPT_LINE).entries()) {
    // Every second part is the path of a script.
    const items = index % 2 === 0 ? scriptCommands(part) : [{ kind: 'file', path: part } as const]
    for (const item of items) {
      count += 1
      if (count > SCRIPT_COMMANDS_MAX) {
        const message = `A script has at most ${SCRIPT_COMMANDS_MAX} commands: divide it.`
        yield { kind: 'refusal', message }
        return
      }
      yield item
      if (item.kind === 'problem') return
    }
  }
}

export function packItems(text: string): PackedItems {
  const packed = Array.from(scriptItems(text), (item) => serialize(item))
  const ends = new Uint32Array(packed.length)
  const sizeBytes = packed.reduce((sum, { length }) => sum + length, 0)
  const bytes = new Uint8Array(new SharedArrayBuffer(sizeBytes))
  let end = 0
  for (const [index, item] of packed.entries()) {
    bytes.set(item, end)
    end += item.length
    ends[index] = end
  }
  return { bytes, ends }
}

export function* unpackItems({ bytes, ends }: PackedItems): Generator<ScriptItem> {
  let start = 0
  for (const end of ends) {
    yield deserialize(bytes.subarray(start, end)) as ScriptItem
    start = end
  }
}
