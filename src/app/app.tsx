import { RouterProvider } from 'react-router/dom'
import '#ui/mantine.css'
import '#ui/tokens.css'
import '#ui/base.css'
import '#ui/kit.css'
import { Toasts } from '#ui/toasts.tsx'
import { Providers } from './providers.tsx'
import { createRouter } from './router.tsx'

const router = createRouter()

export function App() {
  return (
    <Providers>
      <RouterProvider router={router} />
      <Toasts />
    </Providers>
  )
}
