/** The kit's dialog; its code is loaded when the first one opens. */
import type { ModalProps } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'

const Loaded = lazy(async () => ({ default: (await import('./dialog/modal.tsx')).LoadedModal }))

export function Dialog(props: ModalProps) {
  const [wanted, setWanted] = useState(props.opened)
  if (props.opened && !wanted) setWanted(true)
  if (!wanted) return null
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  )
}
