/** Why the console cannot talk to its server, and what to do; it goes on by itself once it can. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { connectionQuery } from '#api/connection.ts'
import { sessionQuery } from '#api/session.ts'
import { ErrorNotice } from '#ui/states.tsx'
import { connectionProblem, type Place } from '../model/connection.ts'
import classes from './connection-notice.module.css'

/** The measured way to the server, and what is wrong with it. */
export function useConnection() {
  const ping = useQuery(connectionQuery)
  const session = useQuery(sessionQuery)
  const place = placeOf(window.location, navigator.onLine)
  const asked = { pong: ping.data, pingError: ping.error, sessionError: session.error }
  return { ping, session, place, problem: connectionProblem(asked, place) }
}

const placeOf = ({ protocol, host, hostname }: Location, online: boolean): Place => ({
  ...{ protocol, host, hostname, online },
})

export function ConnectionNotice() {
  const { ping, session, problem } = useConnection()
  const { refetch, isError: isLost } = session
  const answeredAt = ping.isSuccess ? ping.dataUpdatedAt : 0
  useEffect(() => {
    if (answeredAt > 0 && isLost) void refetch()
  }, [answeredAt, isLost, refetch])

  const retry = () => {
    void ping.refetch()
    void refetch()
  }
  if (problem === null) {
    if (!isLost || ping.isPending) return null
    return (
      <ErrorNotice title="The session could not be read" error={session.error} onRetry={retry} />
    )
  }
  const { title, text, steps, link } = problem
  return (
    <ErrorNotice
      title={title}
      error={problem.error ?? new Error(text)}
      text={text}
      onRetry={retry}
      action={
        link !== null && (
          <Button component="a" variant="default" href={link.href} target="_blank" rel="noreferrer">
            {link.label}
          </Button>
        )
      }
    >
      <ul className={classes.steps}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
    </ErrorNotice>
  )
}
