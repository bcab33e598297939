import type { ComponentType } from 'react'
import { createBrowserRouter, Navigate, type RouteObject, useParams } from 'react-router'
import { paths } from '#lib/paths.ts'
import { NotFound, RouteError } from './error-boundary.tsx'
import {
  type GlobalPage,
  graphPages,
  homePage,
  loadLogin,
  type PageOfGraph,
  systemPages,
} from './routes.tsx'
import { Shell } from './shell/shell.tsx'

export function createRouter() {
  return createBrowserRouter(
    [
      {
        errorElement: <RouteError />,
        HydrateFallback: Blank,
        children: [
          {
            path: '/login',
            lazy: async () => ({ Component: await loadLogin() }),
          },
          {
            path: '/',
            element: <Shell />,
            children: [
              { index: true, element: <Navigate to={paths.home()} replace /> },
              {
                errorElement: <RouteError />,
                children: [
                  ...[homePage, ...systemPages].map(globalRoute),
                  ...graphPages.map(graphRoute),
                  { path: '*', element: <NotFound /> },
                ],
              },
            ],
          },
        ],
      },
    ],
    { basename: '/ui' },
  )
}

const globalRoute = (page: GlobalPage): RouteObject => ({
  path: page.path,
  lazy: async () => ({ Component: await page.load() }),
})

const graphRoute = (page: PageOfGraph): RouteObject => ({
  path: `:graph/${page.path}`,
  lazy: async () => ({ Component: ofGraph(await page.load()) }),
})

/** Another graph is another page: nothing of the old one may stay on screen. */
function ofGraph(Page: ComponentType<{ readonly graph: string }>) {
  return function GraphRoute() {
    const { graph = '' } = useParams()
    return <Page key={graph} graph={graph} />
  }
}

function Blank() {
  return null
}
