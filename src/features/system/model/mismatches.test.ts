import { describe, expect, it } from 'vitest'
import { mismatches, mismatchesCsv } from './mismatches.ts'
import { versionsMarkdown } from './versions-markdown.ts'

const failed = [
  {
    GPE: 'GPE_1_1',
    UnSyncList: [
      { Segid: 193, VertexType: 'Person', GPEDelHash: 18446744073709551615n, IDSDelHash: 7 },
    ],
  },
]

describe('mismatches', () => {
  it('keep 64-bit hashes exact', () => {
    expect(mismatches(failed)[0]?.gpeHash).toBe('18446744073709551615')
  })

  it('export as CSV with a header', () => {
    expect(mismatchesCsv(mismatches(failed))).toBe(
      'engine,vertex_type,segment,gpe_hash,gse_hash\r\nGPE_1_1,Person,193,18446744073709551615,7\r\n',
    )
  })

  it('are none where the check passed', () => {
    expect(mismatches([{ GPE: 'GPE_1_1', UnSyncList: [] }])).toEqual([])
  })
})

it('versions copy as a Markdown table', () => {
  const version = { name: 'gpe', version: 'r1', hash: 'abc', datetime: 'today' }
  expect(versionsMarkdown([version]).split('\n')[2]).toBe('| gpe | r1 | `abc` | today |')
})
