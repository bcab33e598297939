/** Puts the query into a folder of one's own; the server keeps it. */
import { Button, Menu, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, ChevronDown, Folder, FolderPlus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Dialog } from '#ui/dialog.tsx'
import { messageOf, requestAction } from '#ui/states.tsx'
import { notify } from '#ui/toasts.tsx'
import { fileQuery, foldersQuery } from '../api/kept.ts'
import { FOLDER_LETTERS_MAX, folderNames } from '../model/folders.ts'
import classes from '../queries-page.module.css'

interface FolderMenuProps {
  readonly graph: string
  readonly name: string
}

export function FolderMenu({ graph, name }: FolderMenuProps) {
  const client = useQueryClient()
  const folders = useQuery(foldersQuery(graph))
  const [naming, setNaming] = useState(false)
  const filing = useMutation({
    mutationFn: (folder: string) => fileQuery(client, { graph, name }, folder),
    onSuccess: (_, folder) =>
      notify(folder === '' ? `${name} is in no folder now` : `${name} is in ${folder} now`),
    onError: (error) =>
      notify(`${name} was not moved: ${messageOf(error)}`, {
        status: 'danger',
        ...requestAction(error),
      }),
  })
  const current = folders.data?.get(name) ?? ''
  const choices = [...folderNames(folders.data ?? new Map()), '']
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="subtle"
            leftSection={<Folder size={14} aria-hidden="true" />}
            rightSection={<ChevronDown size={12} aria-hidden="true" />}
            disabled={folders.data === undefined}
            loading={filing.isPending}
          >
            Folder
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {choices.map((folder) => (
            <Menu.Item
              key={folder}
              aria-current={folder === current}
              leftSection={
                <Check size={14} aria-hidden="true" opacity={folder === current ? 1 : 0} />
              }
              onClick={() => filing.mutate(folder)}
            >
              {folder === '' ? 'No folder' : folder}
            </Menu.Item>
          ))}
          <Menu.Item
            leftSection={<FolderPlus size={14} aria-hidden="true" />}
            onClick={() => setNaming(true)}
          >
            New folder…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={naming} onClose={() => setNaming(false)} title={`A folder for ${name}`}>
        <NewFolder
          onName={(folder) => {
            setNaming(false)
            filing.mutate(folder)
          }}
        />
      </Dialog>
    </>
  )
}

function NewFolder({ onName }: { readonly onName: (folder: string) => void }) {
  const [folder, setFolder] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (folder.trim() !== '') onName(folder.trim())
  }
  return (
    <form className={classes.newFolder} onSubmit={submit}>
      <TextInput
        label="Name"
        value={folder}
        maxLength={FOLDER_LETTERS_MAX}
        autoComplete="off"
        data-autofocus
        onChange={(event) => setFolder(event.currentTarget.value)}
      />
      <Button type="submit" disabled={folder.trim() === ''}>
        Move here
      </Button>
    </form>
  )
}
