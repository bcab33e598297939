import { keyCaps } from './commands.ts'
import classes from './key-caps.module.css'

/** A shortcut drawn as key caps. */
export function KeyCaps({ keys }: { readonly keys: string }) {
  return (
    <span className={classes.caps}>
      {keyCaps(keys).map((cap) => (
        <kbd key={cap} className={classes.cap}>
          {cap}
        </kbd>
      ))}
    </span>
  )
}
