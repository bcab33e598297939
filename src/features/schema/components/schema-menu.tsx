/** What is done now and then with a schema: taking types in, making tuples and graphs. */
import { Menu } from '@mantine/core'
import { Ellipsis } from 'lucide-react'
import { ToolButton } from '#ui/layout/toolbar.tsx'

export type SchemaDialog = 'import' | 'global' | 'tuples' | 'graph'

interface SchemaMenuProps {
  readonly onOpen: (dialog: SchemaDialog) => void
}

const items: readonly { readonly dialog: SchemaDialog; readonly label: string }[] = [
  { dialog: 'import', label: 'Paste JSON' },
  { dialog: 'global', label: 'Add global types' },
  { dialog: 'tuples', label: 'Tuple types' },
  { dialog: 'graph', label: 'New graph' },
]

export function SchemaMenu({ onOpen }: SchemaMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ToolButton label="More for the schema">
          <Ellipsis size={15} aria-hidden="true" />
        </ToolButton>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ dialog, label }) => (
          <Menu.Item key={dialog} onClick={() => onOpen(dialog)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
