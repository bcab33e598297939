/** Of which attributes the file had no value in how many rows: that is no fault, and may be a surprise. */
import { counted, formatCount } from '#lib/format.ts'
import type { DefaultedValues } from '../model/loader.ts'

const NAMED_MAX = 6

/** As the server names it in what a loading job has done. */
export function DefaultedValuesText({ counts }: { readonly counts: DefaultedValues }) {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  const byCount = [...counts].toSorted(([, one], [, other]) => other - one)
  const named = byCount.slice(0, NAMED_MAX).map(([name, count]) => `${name} ${formatCount(count)}`)
  const more = byCount.length - named.length
  const others = more > 0 ? ` and ${counted(more, 'attribute', 'attributes')} more` : ''
  return (
    <span>
      {counted(all, 'value', 'values')} defaulted ({named.join(', ')}
      {others}): the file has none, so what exists stays as it is
    </span>
  )
}
