import { Modal } from '@mantine/core'
import { userBefore } from '#api/session.ts'
import { LoginForm } from '../../features/login/components/login-form.tsx'

/** The session ended: sign in over the page, so that drafts and canvas survive. */
export function ReauthDialog({ opened }: { readonly opened: boolean }) {
  return (
    <Modal
      opened={opened}
      onClose={() => {}}
      title="Sign in again"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      size={360}
    >
      <LoginForm name={userBefore()} />
    </Modal>
  )
}
