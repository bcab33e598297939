/** Lays a pane over the full width, or puts it back beside the page. */
import { ActionIcon, Tooltip } from '@mantine/core'
import { Maximize2, PanelRight } from 'lucide-react'

interface WidthButtonProps {
  readonly isWide: boolean
  readonly onChange: (isWide: boolean) => void
  readonly className?: string | undefined
}

export function WidthButton({ isWide, onChange, className = '' }: WidthButtonProps) {
  const Icon = isWide ? PanelRight : Maximize2
  return (
    <Tooltip label={isWide ? 'Beside the page' : 'Over the full width'}>
      <ActionIcon
        className={className}
        aria-label="Full width"
        aria-pressed={isWide}
        onClick={() => onChange(!isWide)}
      >
        <Icon size={16} aria-hidden="true" />
      </ActionIcon>
    </Tooltip>
  )
}
