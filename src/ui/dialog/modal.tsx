import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'

/** Opens after it is mounted: then it knows where the focus was, and gives it back. */
export function LoadedModal(props: ModalProps) {
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return <Modal {...props} opened={props.opened && isMounted} />
}
