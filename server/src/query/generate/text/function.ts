/** Functions of the text: their columns by type are cut once, before the loops begin. */
import type { Unit } from './unit.ts'

/**
 * Writes a function and returns the call of it. `write` gives what comes before the parts (copies
 * of columns that are cut as well) and what comes after.
 */
export function emitFunction(
  unit: Unit,
  write: () => { readonly setup: string; readonly body: string },
): string {
  const name = unit.name('q')
  const outer = unit.parts
  unit.parts = new Set()
  const { setup, body } = write()
  const late = unit.lateSetup.splice(0).join('\n')
  const parts = [...unit.parts].map((part) => partText(unit, part)).join('\n')
  unit.parts = outer
  const text = ['let ec=0,rc=0;', setup, late, parts, body, `${unit.work()};`].join('\n')
  unit.functions.push(`function ${name}(){\n${localBindings(text)}\n${text}\n}`)
  return `${name}();`
}

/**
 * The bindings that a text uses as locals of its function: those of the function around it are read
 * anew, and looked at for being set, wherever they are named.
 */
export function localBindings(text: string): string {
  const names = new Set(text.match(/\bb\d+\b/g) ?? [])
  return [...names].map((name) => `const ${name}=B[${name.slice(1)}];`).join('')
}

/** Names end in `_t` and the type: the part of a column, or of a bitmap, that is this type's. */
export function partText(unit: Unit, name: string): string {
  const mark = name.indexOf('_t')
  const whole = name.slice(0, mark)
  const cut = /^[mw]/.test(whole) ? 'wordsPart' : 'columnPart'
  // The layout is handed over, as in `Unit.poll`: the function is the same in every run.
  const layout = unit.bind('layout', (env) => env.layout)
  return `const ${name}=${unit.call(cut, layout, whole, name.slice(mark + 2))};`
}
