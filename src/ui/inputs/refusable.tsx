/** A control that may be refused to whoever looks at it: then it says why instead of acting. */
import { Tooltip } from '@mantine/core'
import { cloneElement, type MouseEvent, type ReactElement } from 'react'

interface RefusableProps {
  /** Why it may not be used, and what to do about that; null: it may be used. */
  readonly refusal: string | null
  /** What its tooltip says otherwise. */
  readonly label?: string
  /** A button, or a link that looks like one. */
  readonly children: ReactElement
}

export function Refusable({ refusal, label, children }: RefusableProps) {
  const words = refusal ?? label
  return (
    <Tooltip
      label={words}
      disabled={words === undefined}
      {...(refusal !== null && { events: everyWay, multiline: true, w: 280 })}
    >
      {refusal === null ? children : cloneElement(children, refused(refusal))}
    </Tooltip>
  )
}

const everyWay = { hover: true, focus: true, touch: true }

/** Not `disabled`: the keyboard would not reach it, nor the reason. */
const refused = (refusal: string): object => ({
  disabled: false,
  'data-disabled': true,
  'aria-disabled': true,
  'aria-description': refusal,
  title: undefined,
  onClick: (event: MouseEvent) => event.preventDefault(),
})
