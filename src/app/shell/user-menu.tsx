import { Menu, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  BookOpen,
  ExternalLink,
  Keyboard,
  KeyRound,
  LogOut,
  Moon,
  Network,
  Sun,
} from 'lucide-react'
import { useNavigate } from 'react-router'
import { sessionQuery, useLogOut } from '#api/session.ts'
import { paths } from '#lib/paths.ts'
import type { Overlay } from './shell.tsx'
import classes from './top-bar.module.css'

export function UserMenu({ onOpen }: { readonly onOpen: (overlay: Overlay) => void }) {
  const navigate = useNavigate()
  const session = useQuery(sessionQuery)
  const logOut = useLogOut()
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const user = session.data?.user ?? 'nobody'
  const leave = () => logOut.mutate(undefined, { onSuccess: () => void navigate(paths.login()) })
  return (
    <Menu width={230}>
      <Menu.Target>
        <UnstyledButton
          className={classes.avatar ?? ''}
          data-initials={user.slice(0, 2).toUpperCase()}
          aria-label={`User ${user}`}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item className={classes.who ?? ''} disabled>
          Signed in as <strong>{user}</strong>
        </Menu.Item>
        {/* The first item takes no focus, and without any within it a menu hears no key. */}
        <Menu.Item
          data-autofocus
          leftSection={<KeyRound size={14} aria-hidden="true" />}
          onClick={() => void navigate(paths.settings({ section: 'password' }))}
        >
          Change password
        </Menu.Item>
        <Menu.Item
          leftSection={<Keyboard size={14} aria-hidden="true" />}
          onClick={() => onOpen('shortcuts')}
        >
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item
          leftSection={<Network size={14} aria-hidden="true" />}
          onClick={() => onOpen('requests')}
        >
          Request inspector
        </Menu.Item>
        <Menu.Item
          leftSection={
            isDark ? <Sun size={14} aria-hidden="true" /> : <Moon size={14} aria-hidden="true" />
          }
          onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
        >
          {isDark ? 'Use the light theme' : 'Use the dark theme'}
        </Menu.Item>
        <Menu.Item
          component="a"
          href="/quiver/v1/docs"
          target="_blank"
          rel="noreferrer"
          leftSection={<BookOpen size={14} aria-hidden="true" />}
          rightSection={<ExternalLink size={13} aria-hidden="true" />}
        >
          API reference
        </Menu.Item>
        {session.data?.passwordIsDefault === false && (
          <Menu.Item leftSection={<LogOut size={14} aria-hidden="true" />} onClick={leave}>
            Sign out
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
