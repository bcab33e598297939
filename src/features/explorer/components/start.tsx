/** Nothing drawn yet: a search, or one vertex of some type to begin with. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Waypoints } from 'lucide-react'
import { Link } from 'react-router'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { counted } from '#lib/format.ts'
import { paths } from '#lib/paths.ts'
import { NeedsSchema } from '#ui/feedback/needs-schema.tsx'
import { EmptyState } from '#ui/feedback/states.tsx'
import { TypeTag } from '#ui/theme/type-tag.tsx'
import { countsQuery, findVertices } from '../api/explorer.ts'
import type { Explorer } from '../use-explorer.ts'

/** Types offered to begin with; the others are found by name. */
const START_TYPES_MAX = 8

interface StartProps {
  readonly graph: string
  /** Vertices of each type in the database. */
  readonly totals: ReadonlyMap<string, number>
  readonly explorer: Explorer
}

export function Start({ graph, totals, explorer }: StartProps) {
  const begin = async (type: string) => {
    try {
      const { vertices } = await findVertices(graph, { kind: 'type', type }, { limit: 1 })
      explorer.add(vertices)
    } catch (error) {
      explorer.fail(error)
    }
  }
  const filled = [...totals].filter(([, count]) => count > 0).map(([type]) => type)
  const others = filled.length - START_TYPES_MAX
  const types = useQuery(graphSchemaQuery(graph)).data?.vertices
  // The page asks for them, and says why not.
  const isUnknown = useQuery({ ...countsQuery(graph), enabled: false }).isError && totals.size === 0
  if (types?.length === 0) {
    return (
      <NeedsSchema icon={<Waypoints size={28} />} what="Exploring" designer={paths.schema(graph)} />
    )
  }
  const isEmpty = totals.size > 0 && filled.length === 0
  return (
    <EmptyState
      icon={<Waypoints size={28} />}
      text={
        isUnknown
          ? 'There is nothing to begin with while the types cannot be read.'
          : isEmpty
            ? 'This graph has no vertices yet.'
            : 'Find a vertex above, or begin with any one of a type, and follow its edges.'
      }
      {...(others > 0 && { hint: `${counted(others, 'more type', 'more types')}: find by name.` })}
      actions={
        isEmpty ? (
          <Button component={Link} to={paths.data(graph)}>
            Load data
          </Button>
        ) : (
          filled.slice(0, START_TYPES_MAX).map((type) => (
            <Button key={type} variant="default" onClick={() => void begin(type)}>
              <TypeTag name={type} />
            </Button>
          ))
        )
      }
    />
  )
}
