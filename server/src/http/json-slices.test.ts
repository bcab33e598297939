import { describe, expect, it } from 'vitest'
import { JSON_DEPTH_MAX, JSON_OBJECT_MEMBERS_MAX } from '#kernel/limits.ts'
import { createRandom } from '#kernel/prng.ts'
import { parseJson, stringifyJson } from './json.ts'
import { parseJsonInSlices } from './json-slices.ts'

const bytes = (text: string) => Buffer.from(text)
const PIECES = [1, 2, 7, 40, 1_000]

async function outcomeOf(parse: () => unknown): Promise<unknown> {
  try {
    return { value: await parse() }
  } catch (error) {
    return (error as { code: string }).code
  }
}

async function expectSame(text: string): Promise<void> {
  const expected = await outcomeOf(() => parseJson(bytes(text)))
  for (const piece of PIECES) {
    const found = await outcomeOf(() => parseJsonInSlices(bytes(text), piece))
    expect(found, `${text} in pieces of ${piece}`).toStrictEqual(expected)
  }
}

describe('a body that is parsed in slices', () => {
  it.each([
    '[]',
    '{}',
    ' [ ] ',
    '[1,2,3]',
    '[[1,2],[3],[]]',
    '{"a":[1,{"b":"}],"}],"__proto__":{"x":1},"a\\"":2,"a":3}',
    '{"long":12345678901234567890,"list":[9007199254740993,-1.5e3,true,null]}',
    '"text"',
    '\ufeff[1]',
    '[1,]',
    '[1,\ufeff2]',
    '[,1]',
    '[,]',
    '{"a":1,}',
    '{,}',
    '[1 2]',
    '[1],[2]',
    '[1}',
    '{"a":1]',
    '{"a" 1}',
    '{a:1}',
    '{"a":[1,2],"b"}',
    '[[1,2]',
    '["unclosed]',
    '["a\\"]',
    '[1,2,3]x',
    '',
    '[nan]',
    '"é\\u20ac\\n"',
    '"\\u12"',
    '"a"b"',
    '  {  "a"  :  [ ]  ,  "é" : { } }  ',
    '[1, ,2]',
    '\ufeff\ufeff1',
    `${'['.repeat(JSON_DEPTH_MAX)}${']'.repeat(JSON_DEPTH_MAX)}`,
    `${'['.repeat(JSON_DEPTH_MAX + 1)}${']'.repeat(JSON_DEPTH_MAX + 1)}`,
    `{"a":${'['.repeat(JSON_DEPTH_MAX)}${']'.repeat(JSON_DEPTH_MAX)}}`,
  ])('is what it is as a whole: %s', expectSame)

  it('is what it is as a whole, whatever it holds and whatever was changed in it', async () => {
    const seed = Number(process.env['QUIVER_SEED'] ?? 7)
    const random = createRandom(seed)
    for (let round = 0; round < 400; round++) {
      const text = stringifyJson(someValue(random, 4))
      await expectSame(text)
      const at = random.below(text.length + 1)
      const other = '[]{},:"\\1 '[random.below(10)]
      await expectSame(text.slice(0, at) + other + text.slice(at + random.below(2)))
    }
  })

  it.each([
    ['"', 'é€😀\\n\\u20ac\\ud83d\\ude00\\"\\\\'.repeat(9_000), '"'],
    ['{"', 'é€😀\\u20ac\\"'.repeat(9_000), '":1}'],
    ['[1,"', 'a\\u12"'.repeat(20_000), '"]'],
    ['["', `${'a'.repeat(140_000)}\n`, '"]'],
    ['["', 'a'.repeat(140_000), '" "b"]'],
    ['"', 'a'.repeat(140_000), '"b"'],
    ['', ' \n\r\t'.repeat(40_000), '[1]'],
    ['[', ' '.repeat(140_000), ']'],
    ['[1,', ' '.repeat(140_000), ']'],
    ['{"a"', ' '.repeat(140_000), ':1}'],
    ['{"a":1', '\u00a0'.repeat(70_000), '}'],
  ])('is what it is as a whole when it has a long part: %#', async (open, long, close) => {
    const text = open + long + close
    const expected = await outcomeOf(() => parseJson(bytes(text)))
    const found = await outcomeOf(() => parseJsonInSlices(bytes(text)))
    expect(found).toStrictEqual(expected)
  })

  it('has no number of 64 KB and no object of more members than its limit', async () => {
    await expect(parseJsonInSlices(bytes(`[${'1'.repeat(70_000)}]`))).rejects.toThrow('too long')
    const objectOf = (count: number) =>
      bytes(`{${Array.from({ length: count }, (_none, at) => `"${at}":1`).join()}}`)
    const most = await parseJsonInSlices(objectOf(JSON_OBJECT_MEMBERS_MAX))
    expect(Object.keys(most as object)).toHaveLength(JSON_OBJECT_MEMBERS_MAX)
    const more = parseJsonInSlices(objectOf(JSON_OBJECT_MEMBERS_MAX + 1))
    await expect(more).rejects.toThrow('more than 250000 members')
  })

  it('is refused when it is no UTF-8', async () => {
    const broken = Buffer.concat([bytes('["'), Buffer.from([0xff]), bytes('"]')])
    await expect(parseJsonInSlices(broken, 1)).rejects.toThrow('not valid JSON')
  })

  it('lets others run meanwhile', async () => {
    const text = JSON.stringify({ ids: Array.from({ length: 400_000 }, (_none, at) => `id ${at}`) })
    let turns = 0
    let isOver = false
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const { ids } = (await parseJsonInSlices(bytes(text))) as { ids: string[] }
    isOver = true
    expect([ids.length, ids[399_999]]).toEqual([400_000, 'id 399999'])
    expect(turns).toBeGreaterThan(1)
  })
})

type Random = ReturnType<typeof createRandom>

function someValue(random: Random, depth: number): unknown {
  const kind = random.below(depth > 0 ? 7 : 5)
  switch (kind) {
    case 0:
      return random.below(1_000_000) - 500_000
    case 1:
      return 2n ** 60n + BigInt(random.below(1_000))
    case 2:
      return ['', 'a', '"', '\\', ']', '}', ',', 'é€😀', '\n', '__proto__'][random.below(10)]
    case 3:
      return random.below(2) === 0
    case 4:
      return null
    case 5:
      return Array.from({ length: random.below(5) }, () => someValue(random, depth - 1))
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(5) }, (_none, at) => [
          ['k', '"', ']:', `n${at}`][random.below(4)],
          someValue(random, depth - 1),
        ]),
      )
  }
}
