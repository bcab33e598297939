import { describe, expect, it } from 'vitest'
import { parseOpenMetrics } from '#lib/open-metrics.ts'
import { componentStates } from './component-states.ts'

const version = (name: string) => ({ name, version: 'release_1', hash: 'abc' })

describe('componentStates', () => {
  it('takes each state from the metric of its service', () => {
    const metrics = parseOpenMetrics(
      'tigergraph_service_status{service_name="GPE"} 6\ntigergraph_service_status{service_name="GSE"} 12\n',
    )
    const states = componentStates([version('gse'), version('gpe'), version('other')], metrics)
    expect(states.map(({ name, text }) => [name, text])).toEqual([
      ['GSE', 'read-only'],
      ['GPE', 'online'],
    ])
  })

  it('says unknown instead of guessing', () => {
    expect(componentStates([version('gpe')], undefined)[0]).toMatchObject({
      status: 'neutral',
      text: 'unknown',
    })
    const metrics = parseOpenMetrics('tigergraph_service_status{service_name="GPE"} 99\n')
    expect(componentStates([version('gpe')], metrics)[0]?.text).toBe('unknown')
  })
})
