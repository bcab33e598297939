import { beforeEach, describe, expect, it } from 'vitest'
import { requestLog } from './request-log.ts'

const call = (url: string) =>
  requestLog.add({
    ...{ method: 'GET', url, status: 200, startedAt: 0, durationMs: 1, sizeBytes: 2 },
    ...{ curl: '', answer: '' },
  })
const failed = () => requestLog.failures().map(({ url, failure }) => `${url} ${failure}`)

describe('failures of the request log', () => {
  beforeEach(() => requestLog.clear())

  it('are told newest first, the same one of a poll once', () => {
    requestLog.fail(call('/a'), 'no')
    requestLog.fail(call('/b'), 'no')
    requestLog.fail(call('/a'), 'no')
    requestLog.fail(call('/a'), 'other')
    expect(failed()).toEqual(['/a other', '/a no', '/b no'])
  })

  it('stay the same list while nothing else fails, and go with the log', () => {
    requestLog.fail(call('/a'), 'no')
    const before = requestLog.failures()
    call('/b')
    expect(requestLog.failures()).toBe(before)
    for (let count = 0; count < 100; count++) call('/c')
    expect(failed()).toEqual([])
    requestLog.fail(1, 'gone already')
    expect(failed()).toEqual([])
  })
})
