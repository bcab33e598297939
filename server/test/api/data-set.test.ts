import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadDataSet } from '../../tools/data-set.ts'
import { startServer } from '../fixtures/server.ts'

const directory = resolve(import.meta.dirname, '../../../../shared/data/openflights')
const isHere = existsSync(directory)

describe('a real graph', () => {
  it.skipIf(!isHere)(
    `loads through the public interface and reads back${isHere ? '' : ` (SKIPPED: no ${directory})`}`,
    async () => {
      const server = await startServer()
      const report = await loadDataSet(
        async (method, path, body) => (await server.request(method, path, body)).text,
        directory,
        2_000,
      )
      expect(report.differences).toEqual([])
      expect(report).toMatchObject({ vertexCount: 14_139, edgeCount: 80_460 })
      await server.close()
    },
    60_000,
  )
})
