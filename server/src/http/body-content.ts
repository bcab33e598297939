/** What a body is, by its format and its first bytes: one answer for the estimate of its memory and for its reader. */
import type { BodyFormat } from '#contract/endpoint.ts'
import { SCRIPT_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import { isForm } from './form.ts'
import { firstText } from './text-start.ts'

export type BodyContent = 'json' | 'form' | 'text' | 'bytes'

const OPENING_BRACE = 0x7b

export function contentOf(format: BodyFormat, bytes: Uint8Array): BodyContent {
  switch (format) {
    case 'json':
    case 'text':
    case 'bytes':
      return format
    case 'lines':
      return 'bytes'
    case 'json-or-form':
      return isForm(bytes) ? 'form' : 'json'
    case 'text-or-json':
      return isText(bytes) ? 'text' : 'json'
  }
}

/** No query text begins with a brace, and none is so long as to have nothing but blanks before it. */
function isText(bytes: Uint8Array): boolean {
  const start = firstText(bytes, SCRIPT_SIZE_BYTES_MAX)
  return start < SCRIPT_SIZE_BYTES_MAX && bytes[start] !== OPENING_BRACE
}
