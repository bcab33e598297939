import { expect, it } from 'vitest'
import { catalogOf, engineWith, FrameBuilder, vertexType } from '../../../test/fixtures/engine.ts'
import type { ReadScope } from '../read/read-scope.ts'
import { deleteVerticesFrame } from './delete-frames.ts'

it('makes a frame of many deletes in slices', async () => {
  const catalog = catalogOf([vertexType(1, 'V')])
  const engine = await engineWith(catalog)
  const made = new FrameBuilder(catalog)
  for (let id = 0; id < 2_000; id++) made.vertex('V', `v${id}`)
  await engine.commit(made.finish())
  const rows = Array.from({ length: 2_000 }, (_, row) => row)
  const scope = { isDue: true } as ReadScope
  const slices = deleteVerticesFrame(engine.view().vertexTables[0]!, rows, false, scope)
  let count = 0
  let slice = slices.next()
  for (; !slice.done; slice = slices.next()) count++
  expect(count).toBeGreaterThanOrEqual(7)
  await engine.commit(slice.value)
  expect(engine.view().vertexTables[0]!.liveCount).toBe(0)
  await engine.close()
})
