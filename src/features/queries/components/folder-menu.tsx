/** Puts the query into a folder of one's own, and gives it tags; the server keeps both. */
import { Button, Menu, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, ChevronDown, Folder, FolderPlus, Tags } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { messageOf, requestAction } from '#ui/feedback/states.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { fileQuery, foldersQuery, tagQuery, tagsQuery } from '../api/kept.ts'
import { FOLDER_LETTERS_MAX, folderNames } from '../model/folders.ts'
import { readTags } from '../model/tags.ts'
import classes from '../queries-page.module.css'

interface FolderMenuProps {
  readonly graph: string
  readonly name: string
}

export function FolderMenu({ graph, name }: FolderMenuProps) {
  const client = useQueryClient()
  const folders = useQuery(foldersQuery(graph))
  const [naming, setNaming] = useState(false)
  const tags = useQuery(tagsQuery(graph)).data
  const [isTagging, setTagging] = useState(false)
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
  const tagging = useMutation({
    mutationFn: (words: readonly string[]) => tagQuery(client, { graph, name }, words),
    onError: (error) => notify(`${name} was not tagged: ${messageOf(error)}`, { status: 'danger' }),
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
          <Menu.Item
            leftSection={<Tags size={14} aria-hidden="true" />}
            disabled={tags === undefined}
            onClick={() => setTagging(true)}
          >
            Tags…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={naming} onClose={() => setNaming(false)} title={`A folder for ${name}`}>
        <WordsForm
          label="Name"
          action="Move here"
          before=""
          maxLength={FOLDER_LETTERS_MAX}
          onCancel={() => setNaming(false)}
          onWords={(folder) => {
            setNaming(false)
            filing.mutate(folder)
          }}
        />
      </Dialog>
      <Dialog opened={isTagging} onClose={() => setTagging(false)} title={`Tags of ${name}`}>
        <WordsForm
          label="Words, separated by blanks or commas"
          action="Save"
          before={(tags?.get(name) ?? []).join(', ')}
          mayBeEmpty
          onCancel={() => setTagging(false)}
          onWords={(words) => {
            setTagging(false)
            tagging.mutate(readTags(words))
          }}
        />
      </Dialog>
    </>
  )
}

interface WordsFormProps {
  readonly label: string
  readonly action: string
  readonly before: string
  readonly maxLength?: number
  readonly mayBeEmpty?: boolean
  readonly onCancel: () => void
  readonly onWords: (words: string) => void
}

function WordsForm({ label, action, before, onCancel, onWords, ...limits }: WordsFormProps) {
  const [words, setWords] = useState(before)
  const isMissing = limits.mayBeEmpty !== true && words.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isMissing) onWords(words.trim())
  }
  return (
    <form className={classes.newFolder} onSubmit={submit}>
      <TextInput
        label={label}
        value={words}
        {...(limits.maxLength !== undefined && { maxLength: limits.maxLength })}
        autoComplete="off"
        data-autofocus
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      <div>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" disabled={isMissing}>
          {action}
        </Button>
      </div>
    </form>
  )
}
