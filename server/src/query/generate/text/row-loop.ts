/**
 * Loops over the rows of one type, in the form that V8 optimises best.
 *
 * Whether every row is meant or those of a list is asked once, before the loop, and the text written
 * twice: asked for each row it takes four times as long as a POST-ACCUM of two statements does
 * without. The counters and the look at the abort flag stand outside a strip of rows, so that the
 * innermost loops call nothing.
 */
import type { LoopRange } from './part.ts'
import type { Unit } from './unit.ts'

/** Rows between two looks at the abort flag; each may have many edges. */
const STRIP_ROWS = 64
/** Characters of a body that is not written twice: it does enough for a row. */
const TWICE_MAX = 3_000

export interface RowLoop {
  /** Name of a list of rows; null: every row is meant. */
  readonly rows: string | null
  /** The list may be null at run time, which means every row as well. */
  readonly orAll: boolean
  /** Given the row. */
  readonly row: string
  /** Given the place of the row in the list. */
  readonly index?: string
  readonly range: LoopRange
  /** A row may lead far: the flag is looked at for each. */
  readonly deep: boolean
}

/** Writes the loop; a `continue` in the body goes on with the next row. */
export function emitRowLoop(unit: Unit, loop: RowLoop, body: () => void): void {
  const { rows, row, orAll } = loop
  const text = unit.capture(body)
  if (rows === null) {
    emitLoop(unit, loop, { index: row, text })
    return
  }
  const index = loop.index ?? unit.name('j')
  const listed = { index, text: `const ${row}=${rows}[${index}];\n${text}` }
  if (!orAll) {
    emitLoop(unit, loop, listed)
    return
  }
  if (text.length > TWICE_MAX) {
    const either = `const ${row}=${rows}===null?${index}:${rows}[${index}];\n${text}`
    emitLoop(unit, loop, { index, text: either })
    return
  }
  unit.line(`if(${rows}===null){`)
  emitLoop(unit, loop, { index: row, text })
  unit.line('}else{')
  emitLoop(unit, loop, listed)
  unit.line('}')
}

function emitLoop(
  unit: Unit,
  { range, deep }: RowLoop,
  { index, text }: { readonly index: string; readonly text: string },
): void {
  const { first, end } = range
  const poll = `${unit.poll('ec', 'rc')};ec=0;rc=0;`
  if (deep) {
    unit.line(`for(let ${index}=${first};${index}<${end};${index}++){`)
    unit.line(`if(++rc+ec>8192){${poll}}`)
    unit.line(text)
    unit.line('}')
    return
  }
  const [strip, stop, most] = [unit.name('k'), unit.name('k'), unit.name('k')]
  // The first strip looks as well: code that was compiled before any call would be compiled again.
  unit.line(`let ${most}=0;`)
  unit.line(`for(let ${strip}=${first};${strip}<${end};${strip}+=${STRIP_ROWS}){`)
  unit.line(
    `const ${stop}=${end}-${strip}<${STRIP_ROWS}?${end}:${strip}+${STRIP_ROWS};rc+=${stop}-${strip};`,
  )
  unit.line(`if(rc+ec>${most}){${poll}${most}=8192;}`)
  unit.line(`for(let ${index}=${strip};${index}<${stop};${index}++){`)
  unit.line(text)
  unit.line('}}')
}
