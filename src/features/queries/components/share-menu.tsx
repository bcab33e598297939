/** The query for others: a link to it as it stands here, or the run as a program would make it. */
import { Button, Menu } from '@mantine/core'
import { ChevronDown, Share2 } from 'lucide-react'
import { LINK_LETTERS_MAX } from '#lib/packed-text.ts'
import { paths } from '#lib/paths.ts'
import { messageOf } from '#ui/feedback/states.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { packQuery } from '../model/query-link.ts'
import { snippetKinds, snippetOf } from '../model/snippets.ts'
import type { QueryEditor } from '../use-query-editor.ts'

interface ShareMenuProps {
  readonly graph: string
  readonly editor: QueryEditor
}

export function ShareMenu({ graph, editor }: ShareMenuProps) {
  const { name, callable, values } = editor
  const { origin } = window.location
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="subtle"
          leftSection={<Share2 size={14} aria-hidden="true" />}
          rightSection={<ChevronDown size={12} aria-hidden="true" />}
        >
          Share
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void copyLink(graph, editor)}>Link to this query</Menu.Item>
        {snippetKinds.map(({ id, label }) => (
          <Menu.Item
            key={id}
            disabled={!callable || values === null}
            onClick={() =>
              void copy(
                snippetOf(id, { graph, name, origin, parameters: values ?? {} }),
                `Copied as ${label}: put a token where QUIVER_TOKEN stands.`,
              )
            }
          >
            Copy as {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The text goes with it where it is not the installed one. */
async function copyLink(graph: string, editor: QueryEditor): Promise<void> {
  const { name, text, texts, dirty } = editor
  const parameters = [...texts].filter(([, typed]) => typed !== '')
  const fragment = await packQuery({ name, text: dirty ? text : null, parameters })
  if (fragment.length > LINK_LETTERS_MAX) {
    notify('The query is too long for a link.', { status: 'warning' })
    return
  }
  const address = paths.queries(graph, name === '' ? {} : { query: name })
  const link = `${window.location.origin}/ui${address}#${fragment}`
  await copy(link, dirty ? 'Copied a link with the text as it is here.' : 'Copied the link.')
}

async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify(done)
  } catch (error) {
    notify(`It could not be copied: ${messageOf(error)}`, { status: 'danger' })
  }
}
