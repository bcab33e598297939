/**
 * FILE objects: `FILE f (path)` declares a base variable that holds the path, `f.println(…)`
 * appends a line to the file of that path. A path that is empty names no file, and nothing is
 * written: library queries declare their file and guard each line by `IF file_path != ""`.
 */

import type { BoundFilePrint, BoundStatement } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { STRING } from '#query/ir/types.ts'
import type { CallSyntax } from '#query/syntax/ast.ts'
import type { Statement } from '#query/syntax/ast-statement.ts'
import { suggest } from '#query/syntax/suggest.ts'
import type { Binder } from '../core/binder.ts'
import { convertTo } from '../core/convert.ts'
import { looksLikeVertexSet, verticesOfSet } from '../expressions/vertex-set-shape.ts'

export function declareFiles(
  binder: Binder,
  node: Extract<Statement, { kind: 'fileDeclaration' }>,
): BoundStatement[] {
  const place = binder.place(node.range)
  return node.files.flatMap(({ name, path }): BoundStatement[] => {
    const value = convertTo(binder, binder.expression(path), STRING, path.range)
    const slot = binder.declareVariable(name.name, STRING, name.range)
    binder.files.add(name.name)
    const variable: BoundExpression = { kind: 'variable', type: STRING, slot }
    return [
      { kind: 'setVariable', slot, value, place },
      { kind: 'openFile', path: variable, place },
    ]
  })
}

export function isPrintln(call: CallSyntax): boolean {
  return call.of !== null && call.name.name.toLowerCase() === 'println'
}

export function bindPrintln(binder: Binder, call: CallSyntax): BoundFilePrint {
  const name = call.of?.kind === 'name' ? call.of.name : ''
  if (!binder.files.has(name)) {
    const hint = suggest(name, binder.files)
    binder.fail(diagnosticCodes.undeclared, call.range, `"${name}" is not a declared FILE${hint}`)
  }
  return {
    kind: 'println',
    path: binder.expression(call.of!),
    values: call.arguments.map((argument) =>
      looksLikeVertexSet(binder, argument)
        ? verticesOfSet(binder, argument)
        : binder.expression(argument),
    ),
    applies: null,
    place: binder.place(call.range),
  }
}
