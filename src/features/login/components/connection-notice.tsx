/** Why the console cannot talk to its server, and what to do; it goes on by itself once it can. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { connectionQuery } from '#api/connection.ts'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { connectionProblem, type Place } from '../model/connection.ts'
import classes from './connection-notice.module.css'

/** The measured way to the server, and what is wrong with it. */
export function useConnection() {
  const { data, refetch } = useQuery(connectionQuery)
  const { protocol, host, hostname } = window.location
  const place: Place = { protocol, host, hostname, online: navigator.onLine }
  const problem = data === undefined ? null : connectionProblem(data, place)
  return { connection: data, place, problem, refetch }
}

export function ConnectionNotice() {
  const { problem, refetch } = useConnection()
  if (problem === null) return null
  const { title, text, steps, link, error } = problem
  return (
    <ErrorNotice
      title={title}
      error={error}
      text={text}
      onRetry={refetch}
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
