import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Breakable } from './breakable.tsx'

it('breaks after slashes, and leaves the text as it is', () => {
  expect(renderToStaticMarkup(<Breakable path="GET /graph/{type}" />)).toBe(
    'GET /<wbr/>graph/<wbr/>{type}',
  )
  expect(renderToStaticMarkup(<Breakable path="average" />)).toBe('average')
})
