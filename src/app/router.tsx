import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { paths } from '#lib/paths.ts'
import { NotFound, RouteError } from './error-boundary.tsx'
import { ofGraph } from './graph-route.tsx'
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
                // The frame is painted while the first page is on its way.
                HydrateFallback: Blank,
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

function Blank() {
  return null
}
