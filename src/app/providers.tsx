/** Theme, preferences and the query cache around the router. */
import { type MantineColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { readServerSettings } from '#api/console-settings.ts'
import { createQueryClient } from '#api/query-client.ts'
import { preferences, usePreferences } from '#lib/storage/preferences.ts'
import { cssVariables, theme } from '#ui/theme/theme.ts'

/** Mantine reads and writes the scheme where every other preference lives. */
const colorSchemes: MantineColorSchemeManager = {
  get: () => preferences.get().colorScheme,
  set(colorScheme) {
    // Mantine answers every notice with a set, which would go round for ever.
    if (preferences.get().colorScheme !== colorScheme) preferences.set({ colorScheme })
  },
  subscribe(onUpdate) {
    unsubscribe = preferences.subscribe(() => onUpdate(preferences.get().colorScheme))
  },
  unsubscribe: () => unsubscribe(),
  clear: () => preferences.set({ colorScheme: 'auto' }),
}

let unsubscribe: () => void = () => {}

export function Providers({ children }: { readonly children: ReactNode }) {
  const [client] = useState(createQueryClient)
  useDocumentPreferences()
  useEffect(() => void readServerSettings(), [])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </MantineProvider>
  )
}

/** The style sheets read density and motion from attributes of the document. */
function useDocumentPreferences(): void {
  const { density, reducedMotion } = usePreferences()
  useEffect(() => {
    document.documentElement.dataset['density'] = density
    document.documentElement.dataset['reducedMotion'] = String(reducedMotion)
  }, [density, reducedMotion])
}
