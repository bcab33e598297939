/** Addresses to pages. The old page stays until the next one is loaded; one that fails leaves the frame. */
import { type ComponentType, lazy, Suspense } from 'react'
import { BrowserRouter, Navigate, Outlet, Route, Routes, useLocation } from 'react-router'
import { paths } from '#lib/paths.ts'
import { ErrorBoundary, NotFound } from './error-boundary.tsx'
import { ofGraph } from './graph-route.tsx'
import { graphPages, homePage, loadLogin, loadStart, systemPages } from './routes.tsx'
import { Shell } from './shell/shell.tsx'

const page = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }))

const LoginPage = page(loadLogin)

const pages = [
  ...[homePage, ...systemPages].map(({ path, load }) => ({ path, Content: page(load) })),
  ...graphPages.map(({ path, load }) => ({
    path: `:graph/${path}`,
    Content: page(async () => ofGraph(await load())),
  })),
  { path: 'start', Content: page(loadStart) },
]

export function Router() {
  return (
    <BrowserRouter basename="/ui">
      <Routes>
        <Route element={<Net />}>
          <Route path="/login" element={<LoginPage />} />
          <Route path="/" element={<Shell />}>
            <Route index element={<Navigate to={paths.home()} replace />} />
            <Route element={<Net />}>
              {pages.map(({ path, Content }) => (
                <Route key={path} path={path} element={<Content />} />
              ))}
              <Route path="*" element={<NotFound />} />
            </Route>
          </Route>
        </Route>
      </Routes>
    </BrowserRouter>
  )
}

/** Around what may fail or is on its way: another address is another try. */
function Net() {
  return (
    <ErrorBoundary address={useLocation().key}>
      <Suspense>
        <Outlet />
      </Suspense>
    </ErrorBoundary>
  )
}
