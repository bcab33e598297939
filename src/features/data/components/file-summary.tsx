/** The file at hand, and another in its place: rejected rows of a load are asked about first. */
import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { counted, formatBytes } from '#lib/format.ts'
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx'
import { acceptedFiles, formatOf } from '../model/file-format.ts'
import classes from './data.module.css'

interface FileSummaryProps {
  readonly file: File
  readonly disabled: boolean
  /** Rows that would be put away with it. */
  readonly rejectedCount: number
  readonly onFile: (file: File) => void
}

export function FileSummary({ file, disabled, rejectedCount, onFile }: FileSummaryProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isAsking, setIsAsking] = useState(false)
  const choose = () => input.current?.click()
  const rows = counted(rejectedCount, 'rejected row', 'rejected rows')
  return (
    <div className={classes['fileLine']}>
      <strong>{file.name}</strong>
      <span className={classes['hint']}>
        {formatOf(file.name).toUpperCase()}, {formatBytes(file.size)}
      </span>
      <Button
        variant="default"
        disabled={disabled}
        onClick={rejectedCount > 0 ? () => setIsAsking(true) : choose}
      >
        Other file
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Other file to load"
        accept={acceptedFiles}
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0]
          if (chosen !== undefined) onFile(chosen)
        }}
      />
      <ConfirmDialog
        opened={isAsking}
        title={`Leave ${rows}?`}
        confirmLabel="Choose another file"
        onConfirm={() => {
          setIsAsking(false)
          choose()
        }}
        onClose={() => setIsAsking(false)}
      >
        <p>
          {rows} of {file.name} {rejectedCount === 1 ? 'is' : 'are'} not loaded, and{' '}
          {rejectedCount === 1 ? 'leaves' : 'leave'} the page with the file. Download them first to
          keep them.
        </p>
      </ConfirmDialog>
    </div>
  )
}
