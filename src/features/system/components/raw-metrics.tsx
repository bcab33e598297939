import { Button, CopyButton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { metricsQuery } from '#api/metrics.ts'
import { counted, formatClock } from '#lib/format.ts'
import { usePreferences } from '#lib/storage/preferences.ts'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { Section } from '#ui/layout/page.tsx'
import { TextBlock } from '#ui/layout/text-block.tsx'

export function RawMetrics() {
  const metrics = useQuery(metricsQuery)
  const { timeZone } = usePreferences()
  const [search, setSearch] = useState('')
  if (metrics.isPending) return <Loading what="metrics" />
  if (metrics.data === undefined) {
    return (
      <ErrorNotice
        title="The metrics could not be read"
        error={metrics.error}
        onRetry={metrics.refetch}
      />
    )
  }
  const { text, parsed, takenAt } = metrics.data
  const lines = text.split('\n').filter((line) => line.toLowerCase().includes(search.toLowerCase()))
  return (
    <Section
      title="/informant/metrics"
      hint={`read at ${formatClock(takenAt, timeZone)}${parsed.errors.length > 0 ? `, ${counted(parsed.errors.length, 'line', 'lines')} could not be read` : ''}`}
      actions={
        <>
          <TextInput
            aria-label="Search lines"
            data-search-field
            placeholder="Search lines"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
        </>
      }
      layout="flush"
    >
      <TextBlock
        label="Metrics text"
        text={lines.join('\n') || 'No line fits.'}
        maxHeight="calc(100dvh - 220px)"
      />
    </Section>
  )
}
