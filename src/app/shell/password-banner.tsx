import { ShieldAlert } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '#lib/paths.ts'
import classes from './password-banner.module.css'

/** Stands as long as the first user's password is the one that everyone knows. */
export function PasswordBanner() {
  return (
    <aside className={classes.banner} aria-label="Security notice">
      <ShieldAlert size={15} aria-hidden="true" />
      <span>
        The default password is in use
        <span className={classes.more}>
          , so this server answers on this machine only and asks nobody to sign in
        </span>
        .
      </span>
      <Link className={classes.link} to={paths.settings({ section: 'password' })}>
        Set a password
      </Link>
    </aside>
  )
}
