/** A strip of controls above a view. */
import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import classes from './toolbar.module.css'

interface ToolbarProps {
  readonly label: string
  readonly children: ReactNode
}

export function Toolbar({ label, children }: ToolbarProps) {
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={label}>
      {children}
    </div>
  )
}

/** Stands at the far end; where there is no room, all of it goes to the next line. */
export function ToolbarEnd({ children }: { readonly children: ReactNode }) {
  return <div className={classes.end}>{children}</div>
}

interface ToolButtonProps
  extends ActionIconProps,
    Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps> {
  readonly label: string
  /** For what is on or off. */
  readonly pressed?: boolean | undefined
  /** Of the label, shown beside the picture where there is room. */
  readonly word?: string
}

/** A control that is a picture: a tip shows its label under the pointer or with the focus. */
export function ToolButton({ label, pressed, word, children, ...rest }: ToolButtonProps) {
  return (
    <Tooltip label={label} disabled={rest['aria-expanded'] === true}>
      <ActionIcon
        className={classes.tool ?? ''}
        data-worded={word !== undefined}
        aria-label={label}
        aria-pressed={pressed}
        {...rest}
      >
        {children}
        {word !== undefined && <span className={classes.word}>{word}</span>}
      </ActionIcon>
    </Tooltip>
  )
}
