/** Who is signed in; the shell, the login page and the settings share it. */
import { type Query, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { logIn, logOut, readSession } from '#contract/session.ts'
import { call } from './client.ts'
import { reauth } from './reauth.ts'
import { requestLog } from './request-log.ts'

export const sessionKey = ['session'] as const

/** Who was signed in last, also after the session ended. */
let lastUser: string | null = null

function noteUser<S extends { readonly user: string | null }>(session: S): S {
  lastUser = session.user ?? lastUser
  return session
}

/** For a form that asks the same person again. */
export const userBefore = (): string | undefined => lastUser ?? undefined

export const fetchSession = async (signal: AbortSignal) =>
  noteUser(await call(readSession, { signal }))

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => fetchSession(signal),
  staleTime: 60_000,
})

/**
 * Whoever comes back finds the page as it was left, with its drafts; another user sees nothing
 * that the one before was shown.
 */
export function useLogIn() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { readonly user: string; readonly password: string }) =>
      call(logIn, { body }),
    onSuccess: (session) => {
      // Tables, forms and results hold what they were shown, too: only a new page holds nothing.
      if (lastUser !== null && lastUser !== session.user) return window.location.reload()
      client.setQueryData(sessionKey, noteUser(session))
      reauth.signedIn()
      const others = ({ queryKey }: Query) => queryKey[0] !== sessionKey[0]
      return client.invalidateQueries({ predicate: others })
    },
  })
}

export function useLogOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(logOut),
    onSuccess: (session) => {
      client.clear()
      requestLog.clear()
      client.setQueryData(sessionKey, session)
    },
  })
}
