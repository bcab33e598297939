import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { paths, vertexList } from '#lib/paths.ts'
import { WRITTEN_SHOWN_MAX } from '../model/payload-effects.ts'

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
      {wordsFor(names.length)}
    </Button>
  )
}

function wordsFor(count: number): string {
  if (count === 0) return 'Explore the graph'
  return count < WRITTEN_SHOWN_MAX ? 'Explore what was written' : `Explore the first ${count}`
}
