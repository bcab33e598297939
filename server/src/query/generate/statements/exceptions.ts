/** RAISE and TRY: user exceptions travel as JavaScript's, all others pass by. */
import type { BoundStatement } from '#query/ir/bound.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'

type Node<K extends BoundStatement['kind']> = Extract<BoundStatement, { kind: K }>

export function raiseText(
  unit: Unit,
  { name, code, message }: Node<'raise'>,
  scope: Scope,
): string {
  const exception = unit.bind(`exception ${code} ${name}`, () => ({ code, name }))
  return unit.call('raise', exception, message === null ? '-1' : unit.expression(message, scope))
}

export function emitTry(
  unit: Unit,
  statement: Node<'try'>,
  body: (statements: readonly BoundStatement[]) => void,
): void {
  const [caught, code, depth] = [unit.name('u'), unit.name('k'), unit.name('k')]
  const [mark, written] = [unit.name('k'), unit.name('k')]
  unit.line(`const ${mark}=${unit.call('tempMark')},${written}=${unit.call('writtenLength')};`)
  unit.line(`const ${depth}=${unit.call('callDepth')};try{`)
  body(statement.body)
  unit.line(`}catch(${caught}){const ${code}=${unit.call('codeOfException', caught, written)};`)
  unit.line(`${unit.call('leaveCalls', depth)};${unit.call('tempRelease', mark)};`)
  for (const handler of statement.handlers) {
    unit.line(`if(${code}===${handler.code}){`)
    body(handler.body)
    unit.line('}else{')
  }
  if (statement.otherwise === null) unit.line(`${unit.call('raiseAgain', caught)};`)
  else body(statement.otherwise)
  unit.line('}'.repeat(statement.handlers.length + 1))
}
