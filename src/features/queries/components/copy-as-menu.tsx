/** The run that the form describes, as a program would make it. */
import { Button, Menu } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { ChevronDown, Copy } from 'lucide-react'
import { notify } from '#ui/toasts.tsx'
import { type RunCall, snippetKinds, snippetOf } from '../model/snippets.ts'

interface CopyAsMenuProps {
  readonly disabled: boolean
  readonly call: Omit<RunCall, 'origin'>
}

export function CopyAsMenu({ disabled, call }: CopyAsMenuProps) {
  const clipboard = useClipboard()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="subtle"
          disabled={disabled}
          leftSection={<Copy size={14} aria-hidden="true" />}
          rightSection={<ChevronDown size={12} aria-hidden="true" />}
        >
          Copy as
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {snippetKinds.map(({ id, label }) => (
          <Menu.Item
            key={id}
            onClick={() => {
              clipboard.copy(snippetOf(id, { ...call, origin: window.location.origin }))
              notify(`Copied as ${label}: put a token where QUIVER_TOKEN stands.`)
            }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
