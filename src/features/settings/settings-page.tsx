/** What this browser prefers, and the password. Every setting says what it does. */
import { Button, TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCommands } from '#ui/commands/commands.ts'
import { EmptyState } from '#ui/feedback/states.tsx'
import { Page, Section } from '#ui/layout/page.tsx'
import { PasswordForm } from './components/password-form.tsx'
import { SettingRow } from './components/setting-row.tsx'
import { StorageSettings } from './components/storage-settings.tsx'
import { matchesSearch, sections } from './model/settings.ts'
import classes from './settings-page.module.css'

const shortcutWords = ['keyboard', 'shortcuts', 'keys']
const passwordWords = ['password', 'security', 'change password', 'sign in']
const storageWords = ['storage', 'clear', 'export', 'import', 'file', 'browser']

export function SettingsPage() {
  const [search, setSearch] = useState('')
  const [parameters] = useSearchParams()
  useFocusedSection(parameters.get('section'))
  const shown = sections
    .map((section) => ({
      ...section,
      settings: section.settings.filter((setting) => matchesSearch(search, setting, section.title)),
    }))
    .filter(({ settings }) => settings.length > 0)
  const fits = (words: readonly string[]): boolean =>
    search === '' || words.some((word) => word.includes(search.toLowerCase()))

  return (
    <Page
      title="Settings"
      actions={
        <TextInput
          aria-label="Search settings"
          data-search-field
          placeholder="Search settings"
          leftSection={<Search size={14} aria-hidden="true" />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      }
    >
      <div className={classes.columns}>
        {shown.map((section) => (
          <div key={section.title} id={`section-${section.settings[0]?.key}`}>
            <Section title={section.title} layout="flush">
              {section.settings.map((setting) => (
                <SettingRow key={setting.key} setting={setting} />
              ))}
            </Section>
          </div>
        ))}
        {fits(shortcutWords) && (
          <Section title="Keyboard shortcuts">
            <Shortcuts />
          </Section>
        )}
        {fits(passwordWords) && (
          <div id="section-password">
            <Section title="Password">
              <PasswordForm />
            </Section>
          </div>
        )}
        {fits(storageWords) && (
          <Section title="This browser’s storage">
            <StorageSettings />
          </Section>
        )}
      </div>
      {shown.length === 0 && ![shortcutWords, passwordWords, storageWords].some(fits) && (
        <EmptyState text={`No setting fits “${search}”.`} />
      )}
    </Page>
  )
}

/** Those of this page and of the frame; each page adds its own to the sheet. */
function Shortcuts() {
  const sheet = useCommands().find(({ id }) => id === 'shell.shortcuts')
  return (
    <div className={classes.shortcuts}>
      <p>The keys of a page stand in one sheet, and beside each command of the palette.</p>
      <Button variant="default" onClick={() => sheet?.run?.()}>
        Show the shortcuts
      </Button>
    </div>
  )
}

/** `?section=password` or `?section=groupLeaves` brings it into view, its first field focused. */
function useFocusedSection(section: string | null): void {
  useEffect(() => {
    if (section === null) return
    const row = document.getElementById(`setting-${section}`)?.closest('[data-setting]')
    const element = document.getElementById(`section-${section}`) ?? row
    element?.scrollIntoView({ block: 'center' })
    element?.querySelector('input')?.focus()
  }, [section])
}
