/**
 * What is shown of the outcome, which the address holds, too. It is state first: the router changes
 * its address a moment later.
 */
import { useEffect, useRef, useState } from 'react'
import { useNavigationType, useSearchParams } from 'react-router'

const tabs = ['result', 'plan', 'changes', 'history', 'running'] as const
export type OutcomeTab = (typeof tabs)[number]

export function useOutcomeTab(): readonly [OutcomeTab, (tab: OutcomeTab) => void] {
  const [search, setSearch] = useSearchParams()
  const navigation = useNavigationType()
  const inAddress = tabs.find((id) => id === search.get('outcome')) ?? 'result'
  const [tab, setTab] = useState(inAddress)
  const written = useRef(inAddress)
  useEffect(() => {
    if (written.current === tab) return
    written.current = tab
    setSearch((before) => withTab(before, tab), { replace: true })
  }, [tab, setSearch])
  useEffect(() => {
    // Our own steps replace; they arrive late and must not undo a newer choice.
    if (navigation === 'REPLACE' || written.current === inAddress) return
    written.current = inAddress
    setTab(inAddress)
  }, [inAddress, navigation])
  return [tab, setTab]
}

function withTab(before: URLSearchParams, tab: OutcomeTab): URLSearchParams {
  const next = new URLSearchParams(before)
  if (tab === 'result') next.delete('outcome')
  else next.set('outcome', tab)
  return next
}
