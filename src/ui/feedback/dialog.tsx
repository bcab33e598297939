/**
 * The kit's dialog. Its code is loaded when a page that may open one has nothing else to do: when it
 * is opened, the server may be out of reach.
 */
import type { ModalProps } from '@mantine/core'
import { lazy, Suspense, useEffect, useState } from 'react'

const load = () => import('./modal.tsx')
const Loaded = lazy(async () => ({ default: (await load()).LoadedModal }))

/** Long after what the page needs to show itself. */
const LOAD_AFTER_MS = 1_000

export function Dialog(props: ModalProps) {
  const [wanted, setWanted] = useState(props.opened)
  if (props.opened && !wanted) setWanted(true)
  useEffect(() => {
    const timer = setTimeout(() => load().catch(() => undefined), LOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!wanted) return null
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  )
}
