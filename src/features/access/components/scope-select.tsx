/** Where a role is granted: everywhere or on a graph, as far as one may grant. */
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrentGraph } from '#api/current-graph.ts'
import { roleScopesQuery } from '../api/access.ts'
import { EVERYWHERE } from '../model/scopes.ts'

interface ScopeChoice {
  /** Undefined until it is known where one may grant. */
  readonly scope: string | undefined
  readonly scopes: readonly string[]
  readonly choose: (scope: string) => void
}

/** @param first where it begins, if that can be chosen */
export function useScopeChoice(first = ''): ScopeChoice {
  const { data: scopes = [] } = useQuery(roleScopesQuery(useCurrentGraph()))
  const [chosen, choose] = useState(first)
  return { scope: scopes.includes(chosen) ? chosen : scopes[0], scopes, choose }
}

interface ScopeSelectProps {
  readonly choice: ScopeChoice
  /** Named by the words beside it otherwise. */
  readonly label?: string
}

export function ScopeSelect({ choice, label }: ScopeSelectProps) {
  return (
    <NativeSelect
      {...(label === undefined ? { 'aria-label': 'Where' } : { label })}
      data={choice.scopes.map((value) => ({
        value,
        label: value === EVERYWHERE ? 'Everywhere' : `On ${value}`,
      }))}
      value={choice.scope ?? ''}
      onChange={(event) => choice.choose(event.currentTarget.value)}
    />
  )
}
