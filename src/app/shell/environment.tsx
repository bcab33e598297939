/** Which server this is, and whether it may be changed from here: a chip and the write guard. */
import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Check, Lock, LockOpen, Server, Settings, ShieldQuestionMark } from 'lucide-react'
import { Link } from 'react-router'
import { type Instances, instancesQuery } from '#api/instances.ts'
import { formatDuration } from '#lib/format.ts'
import { paths } from '#lib/paths.ts'
import { type Preferences, preferences, usePreferences } from '#lib/storage/preferences.ts'
import classes from './environment.module.css'

type Guard = Preferences['writeGuard']

const guards = {
  off: { label: 'Writes are let through', short: 'writes are free', icon: LockOpen },
  confirm: {
    label: 'Ask before each write',
    short: 'writes are asked about',
    icon: ShieldQuestionMark,
  },
  'read-only': { label: 'Read-only: refuse every write', short: 'writes are refused', icon: Lock },
} as const satisfies Record<Guard, object>

/** Two beats: a follower that is younger follows as it should, and its age would only flicker. */
const AGE_SHOWN_MS_MIN = 2_000

const order = ['off', 'confirm', 'read-only'] as const

export function Environment() {
  const { environment, environmentColor, writeGuard } = usePreferences()
  const { icon: Icon, short } = guards[writeGuard]
  // The name begins with what is to be read on the chip.
  const role = roleText(useQuery(instancesQuery).data)
  const shown = [environment, writeGuard === 'read-only' ? 'read-only' : '', role]
  const label = [shown.filter((part) => part !== '').join(' '), short]
    .filter((part) => part !== '')
    .join(', ')
  const reason = preferences.lockReason('writeGuard')
  const choose = (guard: Guard) => preferences.set({ writeGuard: guard })
  return (
    <Menu width={260}>
      <Menu.Target>
        <button
          type="button"
          className={classes.chip}
          data-color={environmentColor}
          data-quiet={shown.every((part) => part === '') && writeGuard === 'off'}
          aria-label={label}
          title={label}
        >
          <Icon size={13} aria-hidden="true" />
          {environment !== '' && <span className={classes.name}>{environment}</span>}{' '}
          {writeGuard === 'read-only' && <span className={classes.guard}>read-only</span>}{' '}
          {role !== '' && <span className={classes.role}>{role}</span>}
        </button>
      </Menu.Target>
      <Menu.Dropdown aria-label="Write guard">
        {/* On a small screen the chip has no room for it. */}
        {role !== '' && <Menu.Label>This instance: {role}</Menu.Label>}
        {reason !== null && <Menu.Label>Locked by this server. {reason}</Menu.Label>}
        {order.map((guard) => (
          <Menu.Item
            key={guard}
            disabled={reason !== null}
            leftSection={
              <Check
                size={14}
                aria-hidden="true"
                style={{ visibility: guard === writeGuard ? 'visible' : 'hidden' }}
              />
            }
            onClick={() => choose(guard)}
          >
            {guards[guard].label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          component={Link}
          to={paths.settings({ section: 'environment' })}
          leftSection={<Settings size={14} aria-hidden="true" />}
        >
          Name this environment
        </Menu.Item>
        {role !== '' && (
          <Menu.Item
            component={Link}
            to={paths.system({ tab: 'instances' })}
            leftSection={<Server size={14} aria-hidden="true" />}
          >
            Instances
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** What the answering server is to its store; nothing where the store is its own. */
function roleText(instances: Instances | undefined): string {
  if (instances === undefined || instances.role === 'alone') return ''
  if (instances.role === 'writer') return 'writer'
  const { stalenessMs } = instances
  return stalenessMs < AGE_SHOWN_MS_MIN
    ? 'follower'
    : `follower, ${formatDuration(stalenessMs)} behind`
}

/** A line over everything in the colour of a named environment. */
export function EnvironmentLine() {
  const { environment, environmentColor } = usePreferences()
  if (environment === '' || environmentColor === 'neutral') return null
  return <div className={classes.line} data-color={environmentColor} aria-hidden="true" />
}
