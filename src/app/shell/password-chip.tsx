import { Popover } from '@mantine/core'
import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#lib/paths.ts'
import chip from './chip.module.css'
import classes from './password-chip.module.css'

/** There as long as the first user's password is the one that everyone knows. */
export function PasswordChip() {
  const [opened, setOpened] = useState(false)
  return (
    <Popover
      {...{ opened }}
      onChange={setOpened}
      position="bottom-end"
      width={320}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button
          type="button"
          className={chip.chip}
          data-status="warning"
          aria-label="Default password"
          onClick={() => setOpened(!opened)}
        >
          <ShieldAlert size={14} aria-hidden="true" />
          <span className={classes.word}>Default password</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Security notice">
        <p className={classes.text}>Only this machine can connect, and nobody has to sign in.</p>
        <Link
          className={classes.link}
          to={paths.settings({ section: 'password' })}
          onClick={() => setOpened(false)}
        >
          Set a password
        </Link>
      </Popover.Dropdown>
    </Popover>
  )
}
