// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { mount, unmountAll } from '../../testing/dom.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

afterEach(unmountAll)

interface AskedProps {
  readonly onConfirm: () => void
  readonly typedName?: string
  readonly error?: unknown
}

function Asked(props: AskedProps) {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpened(true)}>
        Drop
      </button>
      <ConfirmDialog
        {...props}
        opened={opened}
        title="Drop index by_email"
        confirmLabel="Drop it"
        onClose={() => setOpened(false)}
      >
        <p>42 vertices lose it.</p>
      </ConfirmDialog>
    </>
  )
}

async function opened(props: AskedProps) {
  const view = mount(<Asked {...props} />)
  await view.user.click(screen.getByRole('button', { name: 'Drop' }))
  const dialog = await screen.findByRole('dialog', { name: 'Drop index by_email' })
  return { ...view, dialog }
}

const confirm = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Drop it' })

it('has the focus on Cancel, and gives it back to what opened it', async () => {
  const { user } = await opened({ onConfirm: vi.fn() })
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' })),
  )
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Drop' })),
  )
})

it('confirms at once where no name is to be typed', async () => {
  const onConfirm = vi.fn()
  const { user } = await opened({ onConfirm })
  await user.click(confirm())
  expect(onConfirm).toHaveBeenCalledTimes(1)
})

it('waits for the name, and for a second', async () => {
  const onConfirm = vi.fn()
  const { user } = await opened({ onConfirm, typedName: 'by_email' })
  const field = screen.getByRole('textbox', { name: 'Type by_email to confirm' })
  expect(confirm().disabled).toBe(true)
  await user.type(field, 'by_emai')
  await user.keyboard('{Enter}')
  expect(onConfirm).not.toHaveBeenCalled()
  await user.type(field, 'l')
  await waitFor(() => expect(confirm().disabled).toBe(false))
  await user.type(field, '{Enter}')
  expect(onConfirm).toHaveBeenCalledTimes(1)
})

it('shows what failed, and not again when it is asked anew', async () => {
  const error = new Error('The index is in use.')
  const { user, rerender } = await opened({ onConfirm: vi.fn() })
  rerender(<Asked onConfirm={vi.fn()} error={error} />)
  expect(screen.getByRole('dialog').textContent).toContain('The index is in use.')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Drop' }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).not.toContain('The index is in use.')
})
