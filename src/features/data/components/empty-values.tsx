/** Which attributes had no value in how many rows: that is no fault, and may be a surprise. */
import { counted, formatCount } from '#lib/format.ts'
import type { EmptyValues } from '../model/loader.ts'

const NAMED_MAX = 6

export function EmptyValuesText({ counts }: { readonly counts: EmptyValues }) {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  const byCount = [...counts].toSorted(([, one], [, other]) => other - one)
  const named = byCount.slice(0, NAMED_MAX).map(([name, count]) => `${name} ${formatCount(count)}`)
  const more = byCount.length - named.length
  const others = more > 0 ? ` and ${counted(more, 'attribute', 'attributes')} more` : ''
  return (
    <span>
      {counted(all, 'empty value', 'empty values')} ({named.join(', ')}
      {others}): default, or unchanged
    </span>
  )
}
