/** Who is signed in; the shell, the login page and the settings share it. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { logIn, logOut, readSession } from '#contract/session.ts'
import { call } from './client.ts'

export const sessionKey = ['session'] as const

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => call(readSession, { signal }),
  staleTime: 60_000,
})

/** A new user sees nothing that the one before was shown. */
export function useLogIn() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { readonly user: string; readonly password: string }) =>
      call(logIn, { body }),
    onSuccess: (session) => {
      client.setQueryData(sessionKey, session)
      return client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    },
  })
}

export function useLogOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(logOut),
    onSuccess: (session) => {
      client.clear()
      client.setQueryData(sessionKey, session)
    },
  })
}
