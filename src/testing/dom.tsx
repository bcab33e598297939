/**
 * Mounts components of the console in a DOM, with its theme, for tests that send events.
 *
 * ```tsx
 * // @vitest-environment jsdom
 * afterEach(unmountAll)
 *
 * const { user } = mount(<NumberField label="Threads" value={4} min={1} max={8} onChange={change} />)
 * await user.type(screen.getByRole('textbox', { name: 'Threads' }), '{ArrowUp}')
 * ```
 */
import { MantineProvider } from '@mantine/core'
import { cleanup, configure, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { cssVariables, theme } from '#ui/theme/theme.ts'

/** A second, the usual limit, is short on a busy machine. */
configure({ asyncUtilTimeout: 30_000 })

export function mount(content: ReactNode) {
  addMissingParts()
  const view = render(content, { wrapper: Themed })
  return { user: userEvent.setup(), ...view }
}

/** Call it after each test, so that no test sees what another one mounted or stored. */
export function unmountAll(): void {
  cleanup()
  localStorage.clear()
}

function Themed({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables}>
      {children}
    </MantineProvider>
  )
}

/** What a browser has and jsdom has not: nothing is laid out there. */
function addMissingParts(): void {
  window.matchMedia ??= (media) => ({
    media,
    matches: false,
    onchange: null,
    addListener() {},
    removeListener() {},
    addEventListener() {},
    removeEventListener() {},
    dispatchEvent: () => false,
  })
  window.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  globalThis.CSS ??= { escape: (text: string) => text.replaceAll(/[^\w-]/g, '\\$&') } as typeof CSS
  Element.prototype.scrollIntoView ??= () => {}
  Element.prototype.setPointerCapture ??= () => {}
}
