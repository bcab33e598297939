/** Name patterns of SHOW: `*` and `?`, or a regular expression that must match the whole name. */
import type { ShowPattern } from '#query/syntax/script/ast-script.ts'
import { nameExpression } from './name-expression.ts'

export function matcherOf(pattern: ShowPattern): (name: string) => boolean {
  switch (pattern.kind) {
    case 'all':
      return () => true
    case 'glob':
      return (name) => matchesGlob(pattern.text, name)
    case 'regex':
      return nameExpression(pattern.text)
  }
}

/** Two cursors and one place to go back to: linear in practice, never exponential. */
function matchesGlob(pattern: string, name: string): boolean {
  let at = 0
  let back = -1
  let from = 0
  let index = 0
  while (at < name.length) {
    const unit = pattern[index]
    if (unit === '*') {
      back = index++
      from = at
    } else if (unit === '?' || unit === name[at]) {
      index++
      at++
    } else if (back >= 0) {
      index = back + 1
      at = ++from
    } else return false
  }
  return /^\**$/.test(pattern.slice(index))
}
