import '#api/zod-config.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { catchFocus } from '#ui/inputs/focus-again.ts'
import { App } from './app/app.tsx'

catchFocus()

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
