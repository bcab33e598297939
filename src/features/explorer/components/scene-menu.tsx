/** Scenes: kept on the server by name, opened again, and shared as a link. */
import { Button, Menu, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bookmark, Link2, Save, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '#lib/format.ts'
import { usePreferences } from '#lib/storage/preferences.ts'
import { useCommand } from '#ui/commands/commands.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { ErrorNotice, messageOf } from '#ui/feedback/states.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { dropScene, keepScene, readScene, sceneKeys, scenesQuery } from '../api/scenes.ts'
import { isSavable, restoreScene, SAVED_VERTICES_MAX, saveScene } from '../model/saved-scene.ts'
import type { Scene } from '../model/scene.ts'
import classes from './scene-menu.module.css'

interface SceneMenuProps {
  readonly graph: string
  readonly scene: Scene
  readonly onOpen: (scene: Scene) => void
  /** The address of the canvas; null: it is too large for any. */
  readonly makeLink: () => Promise<string | null>
}

export function SceneMenu({ graph, scene, onOpen, makeLink }: SceneMenuProps) {
  const [dialog, setDialog] = useState<'save' | 'open' | null>(null)
  const canSave = isSavable(scene)
  const copy = () => void copyLink(makeLink)
  useCommand({
    ...{ id: 'explorer.link', group: 'Explorer' },
    label: 'Copy link to the canvas',
    enabled: canSave,
    run: copy,
  })
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<Bookmark size={14} aria-hidden="true" />}>
            Scene
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<Save size={14} aria-hidden="true" />}
            disabled={!canSave}
            onClick={() => setDialog('save')}
          >
            Save as…
          </Menu.Item>
          {/* Where the first item takes no focus: without any within it a menu hears no key. */}
          <Menu.Item
            data-autofocus={canSave ? undefined : true}
            leftSection={<Bookmark size={14} aria-hidden="true" />}
            onClick={() => setDialog('open')}
          >
            Open…
          </Menu.Item>
          <Menu.Item
            leftSection={<Link2 size={14} aria-hidden="true" />}
            disabled={!canSave}
            onClick={copy}
          >
            Copy link
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={dialog === 'save'} onClose={() => setDialog(null)} title="Save this scene">
        <SaveForm graph={graph} scene={scene} onDone={() => setDialog(null)} />
      </Dialog>
      <Dialog opened={dialog === 'open'} onClose={() => setDialog(null)} title="Open a scene">
        <KeptScenes
          graph={graph}
          onOpen={(opened) => {
            onOpen(opened)
            setDialog(null)
          }}
        />
      </Dialog>
    </>
  )
}

const textOf = (scene: Scene): string => saveScene(scene, scene.positions) ?? ''

async function copyLink(makeLink: SceneMenuProps['makeLink']): Promise<void> {
  try {
    const link = await makeLink()
    if (link === null) throw new Error('the scene is too large, hide and remove some first.')
    await navigator.clipboard.writeText(link)
    notify('Copied the link to this scene.')
  } catch (error) {
    notify(`The link could not be copied: ${messageOf(error)}`, { status: 'danger' })
  }
}

interface SaveFormProps {
  readonly graph: string
  readonly scene: Scene
  readonly onDone: () => void
}

function SaveForm({ graph, scene, onDone }: SaveFormProps) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const scenes = useQuery(scenesQuery(graph))
  const isTaken = scenes.data?.some((kept) => kept.name === name.trim()) === true
  const saving = useMutation({
    mutationFn: () => keepScene(graph, name.trim(), textOf(scene)),
    onSuccess: async () => {
      notify(`Saved the scene ${name.trim()}.`)
      await client.invalidateQueries({ queryKey: sceneKeys.ofGraph(graph) })
      onDone()
    },
  })
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <TextInput
        label="Name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={100}
        autoComplete="off"
        data-autofocus
      />
      {saving.isError && <ErrorNotice title="It was not saved" error={saving.error} />}
      <div className={classes.actions}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" disabled={name.trim() === ''} loading={saving.isPending}>
          {isTaken ? 'Replace' : 'Save'}
        </Button>
      </div>
    </form>
  )
}

interface KeptScenesProps {
  readonly graph: string
  readonly onOpen: (scene: Scene) => void
}

function KeptScenes({ graph, onOpen }: KeptScenesProps) {
  const client = useQueryClient()
  const { timeZone } = usePreferences()
  const scenes = useQuery(scenesQuery(graph))
  const opening = useMutation({
    mutationFn: async (name: string) => {
      const scene = restoreScene(await readScene(graph, name))
      if (scene === null) throw new Error(`The scene ${name} is there no more.`)
      return scene
    },
    onSuccess: onOpen,
  })
  const dropping = useMutation({
    mutationFn: (name: string) => dropScene(graph, name),
    onSettled: () => client.invalidateQueries({ queryKey: sceneKeys.ofGraph(graph) }),
  })
  const failed = scenes.error ?? opening.error ?? dropping.error
  return (
    <div className={classes.form}>
      {failed !== null && <ErrorNotice title="That did not work" error={failed} />}
      {scenes.data?.length === 0 && (
        <p className={classes.note}>
          No scene of this graph is saved yet. A scene keeps up to{' '}
          {SAVED_VERTICES_MAX.toLocaleString('en')} vertices with their places.
        </p>
      )}
      <ul className={classes.scenes}>
        {scenes.data?.map(({ name, updatedAt }) => (
          <li key={name}>
            <Button variant="subtle" title={name} px="xs" onClick={() => opening.mutate(name)}>
              {name}
            </Button>
            <span className={classes.note}>{formatDateTime(updatedAt, timeZone)}</span>
            <Button
              size="compact-xs"
              variant="subtle"
              aria-label={`Delete the scene ${name}`}
              onClick={() => dropping.mutate(name)}
            >
              <Trash2 size={13} aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
