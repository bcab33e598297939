import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { useAfterPaint } from './use-after-paint.ts'

function Part() {
  return useAfterPaint() ? 'what follows' : 'first content'
}

it('what follows is no part of what is drawn first', () => {
  expect(renderToString(<Part />)).toBe('first content')
})
