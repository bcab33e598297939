import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { drawingOnly } from '../../../scripts/lean-icons.mjs'

const folder = 'node_modules/lucide-react/dist/esm/icons'

it('keeps the drawing of every icon and nothing else', () => {
  const texts = readdirSync(folder)
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
  const drawn = texts.filter((text) => text.includes('node: ['))
  expect(drawn.length).toBeGreaterThan(1000)
  const spare = /key:|name:|size:|aliases:|__iconData\.node/
  expect(
    drawn
      .map(drawingOnly)
      .filter((text) => spare.test(text))
      .slice(0, 3),
  ).toEqual([])
  const lines = (text: string) =>
    text.match(/\[\s*"(path|line|rect|circle|ellipse|poly\w+)"/g)?.length
  expect(drawn.map((text) => lines(drawingOnly(text)))).toEqual(drawn.map(lines))
})
