/** A new user, another password, one user less. */
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { PASSWORD_LENGTH_MIN } from '#contract/session.ts'
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import classes from '../access-page.module.css'
import { useCreateUser, useDropUser, useSetPassword } from '../api/access.ts'

interface CreateUserDialogProps {
  readonly onClose: () => void
  readonly onCreated: (user: string) => void
}

export function CreateUserDialog({ onClose, onCreated }: CreateUserDialogProps) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const create = useCreateUser()
  const submit = () =>
    create.mutate(
      { name, password },
      {
        onSuccess: () => {
          onClose()
          onCreated(name)
          notify(`${name} may sign in, and needs a role to do more`)
        },
      },
    )
  return (
    <FormDialog
      title="New user"
      action="Create user"
      error={create.error}
      busy={create.isPending}
      ready={name.trim() !== '' && password.length >= PASSWORD_LENGTH_MIN}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label="Name"
        value={name}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NewPassword value={password} onChange={setPassword} />
    </FormDialog>
  )
}

interface UserDialogProps {
  readonly user: string
  readonly onClose: () => void
}

export function PasswordDialog({ user, onClose }: UserDialogProps) {
  const [password, setPassword] = useState('')
  const change = useSetPassword()
  const submit = () =>
    change.mutate(
      { name: user, password },
      {
        onSuccess: () => {
          onClose()
          notify(`The password of ${user} was changed`)
        },
      },
    )
  return (
    <FormDialog
      title={`Password of ${user}`}
      action="Set password"
      error={change.error}
      busy={change.isPending}
      ready={password.length >= PASSWORD_LENGTH_MIN}
      onClose={onClose}
      onSubmit={submit}
    >
      <NewPassword value={password} onChange={setPassword} focused />
    </FormDialog>
  )
}

export function DropUserDialog({ user, onClose }: UserDialogProps) {
  const drop = useDropUser()
  const confirm = () =>
    drop.mutate(user, {
      onSuccess: () => {
        onClose()
        notify(`Dropped ${user}`)
      },
    })
  return (
    <ConfirmDialog
      opened
      title={`Drop ${user}?`}
      confirmLabel={`Drop ${user}`}
      danger
      busy={drop.isPending}
      error={drop.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        Sessions, secrets and tokens of {user} stop working at once. Data and queries stay as they
        are.
      </p>
    </ConfirmDialog>
  )
}

interface NewPasswordProps {
  readonly value: string
  readonly onChange: (password: string) => void
  /** First of its dialog. */
  readonly focused?: boolean
}

function NewPassword({ value, onChange, focused }: NewPasswordProps) {
  return (
    <PasswordInput
      label="New password"
      description={`At least ${PASSWORD_LENGTH_MIN} characters`}
      autoComplete="new-password"
      data-autofocus={focused}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface FormDialogProps {
  readonly title: string
  readonly action: string
  readonly error: unknown
  readonly busy: boolean
  readonly ready: boolean
  readonly onClose: () => void
  readonly onSubmit: () => void
  readonly children: ReactNode
}

export function FormDialog(props: FormDialogProps) {
  const { title, action, error, busy, ready, onClose, onSubmit, children } = props
  return (
    <Dialog opened onClose={onClose} title={title}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) onSubmit()
        }}
      >
        {children}
        {error !== null && <ErrorNotice error={error} />}
        <footer className={classes.actions}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!ready} loading={busy}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
