/** A page made of tabs, the chosen one in the address: `<PageTabs title="System" tabs={tabs} />`. */
import { type ReactNode, use } from 'react'
import { useSearchParams } from 'react-router'
import { Page } from './page.tsx'
import { PageHeadContext } from './page-head.tsx'
import classes from './page-tabs.module.css'
import { type Tab, Tabs } from './tabs.tsx'

interface PageTabsProps<Id extends string> {
  readonly title: string
  /** The first is shown where the address names none. */
  readonly tabs: readonly [Tab<Id>, ...(readonly Tab<Id>[])]
  readonly actions?: ReactNode
  /** What of the address names the tab. */
  readonly parameter?: string
}

export function PageTabs<Id extends string>(props: PageTabsProps<Id>) {
  const { title, tabs, actions, parameter = 'tab' } = props
  const [search, setSearch] = useSearchParams()
  const { id } = tabs.find((tab) => tab.id === search.get(parameter)) ?? tabs[0]
  const head = use(PageHeadContext)
  return (
    <Page title={title} layout="fill" actions={actions}>
      <div className={classes.tabs}>
        <Tabs
          label={title}
          layout="fill"
          value={id}
          rowPlace={head?.isWide === true ? head.tabs : undefined}
          onChange={(tab) => setSearch({ [parameter]: tab }, { replace: true })}
          tabs={tabs.map((tab) => ({
            ...tab,
            content: <div className={classes.content}>{tab.content}</div>,
          }))}
        />
      </div>
    </Page>
  )
}
