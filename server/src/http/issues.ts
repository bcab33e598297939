/** What a schema finds wrong with a request, in the words of our own messages. */
import type { z } from 'zod'

/** `graph: must be a string; body.addVertices.0: …`, at most three. */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  const texts = issues.slice(0, 3).map(({ path, message }) => {
    const place = path.map(String).join('.')
    return place === '' ? readable(message) : `${place}: ${readable(message)}`
  })
  const more = issues.length > 3 ? ` (and ${issues.length - 3} more)` : ''
  return `Invalid request: ${texts.join('; ')}${more}`
}

/** The library speaks of inputs; a caller wants to know what to send. */
function readable(message: string): string {
  const [, expected, received] =
    /^Invalid input: expected (\w+), received (\w+)$/.exec(message) ?? []
  if (expected !== undefined) {
    return received === 'undefined' ? 'is required' : `must be of type ${expected}, not ${received}`
  }
  const [, options] = /^Invalid option: expected one of (.+)$/.exec(message) ?? []
  return options === undefined ? message : `must be one of ${options.replaceAll('|', ', ')}`
}
