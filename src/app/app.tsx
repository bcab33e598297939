import '#ui/theme/mantine.css'
import '#ui/theme/fonts.css'
import '#ui/theme/tokens.css'
import '#ui/theme/base.css'
import '#ui/theme/kit.css'
import { Toasts } from '#ui/feedback/toasts.tsx'
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
