/** A place to drop a file on, or to choose one. */
import { Button } from '@mantine/core'
import { FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { EmptyState } from '../feedback/states.tsx'
import classes from './file-drop.module.css'
import { Refusable } from './refusable.tsx'

interface FileDropProps {
  /** Names the field: `CSV file`. */
  readonly label: string
  readonly text: string
  readonly hint: string
  /** Extensions, as a file field takes them. */
  readonly accept: string
  /** Why no file is taken; absent or null: one is. */
  readonly refusal?: string | null
  readonly onFile: (file: File) => void
}

export function FileDrop(props: FileDropProps) {
  const { label, text, hint, accept, refusal = null, onFile } = props
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
        setOver(refusal === null)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file !== undefined && refusal === null) onFile(file)
      }}
    >
      <EmptyState
        icon={<FileUp size={28} />}
        text={text}
        hint={hint}
        actions={
          <Refusable refusal={refusal}>
            <Button onClick={() => input.current?.click()}>Choose a file</Button>
          </Refusable>
        }
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
