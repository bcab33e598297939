/** Changes of the graph: each statement appends to the run's list of changes. */
import type { BoundChange, BoundEdgeEnd } from '#query/ir/bound-changes.ts'
import { isVirtualType } from '#query/ir/type-ids.ts'
import type { ValueType } from '#query/ir/types.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'

export function emitChange(unit: Unit, change: BoundChange, scope: Scope): void {
  const writer = writerOf(unit, change)
  const args = argumentsOf(unit, change, scope)
  unit.line(`${unit.call('change', writer, ...args)};`)
}

function writerOf(unit: Unit, change: BoundChange): string {
  switch (change.kind) {
    case 'setAttribute': {
      const { byType, adds, value, of } = change
      const isEdge = of.type.kind === 'EDGE'
      return unit.bind(`set ${isEdge} ${JSON.stringify([byType, adds, value.type])}`, (env) =>
        isEdge
          ? env.changes.edgeSetter({ byType, adds, type: value.type })
          : env.changes.vertexSetter({ byType, adds, type: value.type }),
      )
    }
    case 'insertVertex': {
      const { typeId, key, fields } = change
      const types = fields.map(({ attributeId, value }) => ({ attributeId, type: value.type }))
      const keys = key.map(({ type }) => type)
      return unit.bind(`insert ${JSON.stringify([typeId, keys, types])}`, (env) =>
        env.changes.vertexInserter(typeId, keys, types),
      )
    }
    case 'insertEdge': {
      const { edgeTypeId, reversed, fields } = change
      const types = fields.map(({ attributeId, value }) => ({ attributeId, type: value.type }))
      const ends = [change.from.value.type, change.to.value.type] as const
      if (isVirtualType(edgeTypeId)) {
        const given = fields.map(({ attributeId }) => attributeId - 1)
        return unit.bind(`insert ${JSON.stringify([edgeTypeId, ends, given])}`, (env) =>
          env.virtual.inserter(edgeTypeId, ends, given),
        )
      }
      return unit.bind(`insert ${JSON.stringify([edgeTypeId, reversed, ends, types])}`, (env) =>
        env.changes.edgeInserter({ edgeTypeId, reversed, ends, fields: types }),
      )
    }
    case 'deleteElement':
      if (ofVirtual(change.of.type)) {
        return unit.bind('delete virtual', (env) => env.virtual.deleter())
      }
      return change.of.type.kind === 'EDGE'
        ? unit.bind('delete edge', (env) => env.changes.edgeDeleter())
        : unit.bind('delete vertex', (env) => env.changes.vertexDeleter())
  }
}

function ofVirtual(type: ValueType): boolean {
  return type.kind === 'EDGE' && (type.typeIds?.some(isVirtualType) ?? false)
}

function argumentsOf(unit: Unit, change: BoundChange, scope: Scope): string[] {
  switch (change.kind) {
    case 'setAttribute':
      return [unit.expression(change.of, scope), unit.expression(change.value, scope)]
    case 'insertVertex': {
      const values = [...change.key, ...change.fields.map(({ value }) => value)]
      return values.map((value) => unit.expression(value, scope))
    }
    case 'insertEdge': {
      const values = change.fields.map(({ value }) => unit.expression(value, scope))
      return [...endCode(unit, change.from, scope), ...endCode(unit, change.to, scope), ...values]
    }
    case 'deleteElement':
      return [unit.expression(change.of, scope)]
  }
}

/** The end and the name of its type; 0, the empty text, when none was written. */
function endCode(unit: Unit, end: BoundEdgeEnd, scope: Scope): string[] {
  const typeName = end.typeName === null ? '0' : unit.expression(end.typeName, scope)
  return [unit.expression(end.value, scope), typeName]
}
