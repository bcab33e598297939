import '#ui/mantine.css'
import '#ui/tokens.css'
import '#ui/base.css'
import '#ui/kit.css'
import { Toasts } from '#ui/toasts.tsx'
import { Providers } from './providers.tsx'
import { Router } from './router.tsx'

export function App() {
  return (
    <Providers>
      <Router />
      <Toasts />
    </Providers>
  )
}
