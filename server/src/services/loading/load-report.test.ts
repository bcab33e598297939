import { describe, expect, it } from 'vitest'
import { joinReports, newLineCounts, type SourceReport } from './load-report.ts'
import { newCounts } from './targets.ts'

function reportOf(fileName: string, validLine: number, more: Partial<SourceReport> = {}) {
  const vertex = [
    { ...newCounts('Person'), validObject: validLine, noIdFound: 1 },
    { ...newCounts('City'), validObject: 1 },
  ]
  const none = { edge: [], deleteVertex: [], deleteEdge: [], defaulted: [] }
  const counts = { ...newLineCounts(), validLine, invalidJson: 2 }
  return { sourceName: 'f', fileName, statements: [0], ...counts, vertex, ...none, ...more }
}

describe('the reports of two stretches', () => {
  it('are one for the source that both have read, with sums of all counts', () => {
    const defaulted = [{ typeName: 'Person', attribute: 'age', count: 3 }]
    const more = [{ typeName: 'Person', attribute: 'city', count: 4 }, ...defaulted]
    const joined = joinReports(
      [reportOf('a', 10), reportOf('b', 1, { defaulted })],
      [reportOf('b', 29, { defaulted: more }), reportOf('c', 5)],
    )
    expect(joined.map(({ fileName, validLine }) => [fileName, validLine])).toEqual([
      ['a', 10],
      ['b', 30],
      ['c', 5],
    ])
    expect(joined[1]).toEqual({
      ...reportOf('b', 30),
      invalidJson: 4,
      vertex: [
        { ...newCounts('Person'), validObject: 30, noIdFound: 2 },
        { ...newCounts('City'), validObject: 2 },
      ],
      defaulted: [
        { typeName: 'Person', attribute: 'age', count: 6 },
        { typeName: 'Person', attribute: 'city', count: 4 },
      ],
    })
  })

  it('are two where other statements read the source, and list types that were changed in between', () => {
    const other = reportOf('a', 2, { statements: [1] })
    expect(joinReports([reportOf('a', 1)], [other])).toEqual([reportOf('a', 1), other])
    const renamed = reportOf('a', 2, { vertex: [newCounts('Human')] })
    const [joined] = joinReports([reportOf('a', 1)], [renamed])
    expect(joined?.vertex.map(({ typeName }) => typeName)).toEqual(['Person', 'City', 'Human'])
  })
})
