/** A place to drop a file on, or to choose one. */
import { Button } from '@mantine/core'
import { FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { EmptyState } from '../feedback/states.tsx'
import classes from './file-drop.module.css'

interface FileDropProps {
  /** Names the field: `CSV file`. */
  readonly label: string
  readonly text: string
  readonly hint: string
  /** Extensions, as a file field takes them. */
  readonly accept: string
  readonly onFile: (file: File) => void
}

export function FileDrop({ label, text, hint, accept, onFile }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  useEffect(() => {
    // A file dropped beside the target would replace the page.
    const stay = (event: DragEvent) => event.preventDefault()
    window.addEventListener('dragover', stay)
    window.addEventListener('drop', stay)
    return () => {
      window.removeEventListener('dragover', stay)
      window.removeEventListener('drop', stay)
    }
  }, [])
  return (
    <section
      className={classes.drop}
      data-over={over}
      aria-label="Choose a file"
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file !== undefined) onFile(file)
      }}
    >
      <EmptyState
        icon={<FileUp size={28} />}
        text={text}
        hint={hint}
        actions={<Button onClick={() => input.current?.click()}>Choose a file</Button>}
      />
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          if (file !== undefined) onFile(file)
        }}
      />
    </section>
  )
}
