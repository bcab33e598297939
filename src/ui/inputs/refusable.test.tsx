import { Button, MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { Refusable } from './refusable.tsx'

const drawn = (refusal: string | null) =>
  renderToStaticMarkup(
    <MantineProvider>
      <Refusable refusal={refusal}>
        <Button disabled title="Ctrl+Enter" onClick={vi.fn()}>
          Publish
        </Button>
      </Refusable>
    </MantineProvider>,
  ).replace(/^.*?<button/s, '<button')

describe('a control', () => {
  it('that is refused says why, looks off, and is left in the reach of the keyboard', () => {
    const button = drawn('This takes WRITE_SCHEMA.')
    expect(button).toContain('aria-disabled="true"')
    expect(button).toContain('aria-description="This takes WRITE_SCHEMA."')
    expect(button).toContain('data-disabled="true"')
    expect(button).not.toMatch(/ disabled=| title=|tabindex="-1"/)
  })

  it('that is not refused is as it was', () => {
    const button = drawn(null)
    expect(button).toMatch(/ disabled=""/)
    expect(button).toContain('title="Ctrl+Enter"')
    expect(button).not.toMatch(/aria-disabled|aria-description/)
  })
})
