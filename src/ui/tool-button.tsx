/** A control that is a picture: its name is told where the pointer or the keyboard is on it. */
import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'

interface ToolButtonProps
  extends ActionIconProps,
    Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps> {
  readonly label: string
  /** For what is on or off. */
  readonly pressed?: boolean | undefined
}

/** What a menu adds to its target is handed on. */
export function ToolButton({ label, pressed, ...rest }: ToolButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        {...(pressed === true ? { variant: 'filled', color: 'indigo' } : { variant: 'default' })}
        aria-label={label}
        aria-pressed={pressed}
        {...rest}
      />
    </Tooltip>
  )
}
