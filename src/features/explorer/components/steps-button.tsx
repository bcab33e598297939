import { Button } from '@mantine/core'
import { Waypoints } from 'lucide-react'

export function StepsButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button
      variant="default"
      leftSection={<Waypoints size={13} aria-hidden="true" />}
      title="By several edges at once, on conditions (E)"
      onClick={onClick}
    >
      Expand steps…
    </Button>
  )
}
