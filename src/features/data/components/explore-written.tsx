import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { paths, vertexList } from '#lib/paths.ts'

interface ExploreWrittenProps {
  readonly graph: string
  /** `Type:id`; none: what was written is not known. */
  readonly names: readonly string[]
}

export function ExploreWritten({ graph, names }: ExploreWrittenProps) {
  return (
    <Button
      variant="default"
      component={Link}
      to={paths.explorer(graph, { vertex: vertexList(names) })}
    >
      {names.length === 0 ? 'Explore the graph' : 'Explore what was written'}
    </Button>
  )
}
