import { describe, expect, it } from 'vitest'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import { findVertex } from '#lib/graph-schema/schema-model.ts'
import { edgePlanMapping, edgePlanProblem, edgeTypeOf, mayBeEdges, planEdges } from './edge-plan.ts'
import { guessMapping } from './mapping.ts'

const column = (name: string, type: 'INT' | 'STRING' = 'STRING') => ({ name, type })

describe('an edge type for the rows of a file', () => {
  it.each([
    [['person', 'since', 'company'], 'Person', 0, 'Company', 2],
    [['to', 'from'], 'Person', 1, 'Person', 0],
    [['a', 'b', 'total'], 'Person', 0, 'Person', 1],
    [['weight', 'source_id', 'target_id'], 'Person', 1, 'Person', 2],
    [['person_1', 'person_2'], 'Person', 0, 'Person', 1],
  ])('of %j has its ends by name', (names, from, sourceColumn, to, targetColumn) => {
    const plan = planEdges(
      sampleSchema,
      'works at.csv',
      names.map((name) => column(name)),
    )
    expect(plan).toEqual({
      ...{ name: 'works_at', directed: true, from, to, sourceColumn, targetColumn },
    })
  })

  it('has the other columns as attributes, and loads them', () => {
    const columns = [column('who'), column('since', 'INT'), column('whom'), column('since?', 'INT')]
    const plan = {
      ...planEdges(sampleSchema, 'met.csv', columns),
      sourceColumn: 2,
      targetColumn: 0,
    }
    expect(edgeTypeOf(plan, columns)).toMatchObject({
      Name: 'met',
      Attributes: [{ AttributeName: 'since' }, { AttributeName: 'since_4' }],
    })
    expect(edgePlanMapping(sampleSchema, plan, columns)).toMatchObject({
      kind: 'edge',
      typeName: 'met',
      source: [{ column: 2 }],
      target: [{ column: 0 }],
      attributes: [
        { attribute: 'since', column: 1 },
        { attribute: 'since_4', column: 3 },
      ],
    })
  })

  it('needs a name of its own', () => {
    const plan = planEdges(sampleSchema, 'Person.csv', [column('a'), column('b')])
    expect(edgePlanProblem(sampleSchema, plan)).toBe('There is a type Person already.')
    expect(edgePlanProblem(sampleSchema, { ...plan, name: '1' })).toContain('starts with a letter')
    expect(edgePlanProblem(sampleSchema, { ...plan, name: 'met' })).toBeNull()
  })

  it('is offered where most columns fill nothing of a vertex', () => {
    const person = findVertex(sampleSchema, 'Person')!
    const of = (names: readonly string[]) =>
      mayBeEdges(
        guessMapping(sampleSchema, person, names),
        names.map((name) => column(name)),
      )
    expect(of(['who', 'whom', 'since', 'place'])).toBe(true)
    expect(of(['id', 'name', 'note'])).toBe(false)
    expect(of(['id'])).toBe(false)
  })
})
