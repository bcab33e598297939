/** In the place of a page that can do nothing in a graph without vertex types. */
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { EmptyState } from './states.tsx'

interface NeedsSchemaProps {
  readonly icon: ReactNode
  /** What cannot be done or made, as the subject of a sentence. */
  readonly what: string
  /** Address of the schema designer. */
  readonly designer: string
}

export function NeedsSchema({ icon, what, designer }: NeedsSchemaProps) {
  return (
    <EmptyState
      icon={icon}
      text={`${what} needs a schema: this graph has no vertex types yet.`}
      actions={
        <Button component={Link} to={designer}>
          Design the schema
        </Button>
      }
    />
  )
}
