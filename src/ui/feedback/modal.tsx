import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { focusAgain } from '../inputs/focus-again.ts'

/** Opens after it is mounted: then it knows where the focus was, and gives it back. */
export function LoadedModal(props: ModalProps) {
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  const opened = props.opened && isMounted
  const giveBack = useGiveBack(opened)
  const onExit = () => {
    giveBack()
    props.onExitTransitionEnd?.()
  }
  return <Modal {...props} opened={opened} onExitTransitionEnd={onExit} />
}

/**
 * Mantine forgets the focus of a dialog that is taken out of the page as a whole, and of one whose
 * opener is gone with what was deleted: then the page itself has it, never nothing.
 */
function useGiveBack(opened: boolean): () => void {
  const opener = useRef<Element | null>(null)
  useEffect(() => {
    if (opened) opener.current = document.activeElement
  }, [opened])
  useEffect(
    () => () => {
      const before = opener.current
      if (before !== null) setTimeout(() => focusAgain(before))
    },
    [],
  )
  return () => {
    if (opener.current !== null) focusAgain(opener.current)
    opener.current = null
  }
}
