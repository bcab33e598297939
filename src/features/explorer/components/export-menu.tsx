/** What is on the canvas as a file: a picture, a scene to keep, tables and a payload for other tools. */
import { Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { RefObject } from 'react'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { downloadBlob, downloadText } from '#lib/download.ts'
import type { CanvasHandle } from '#ui/graph-canvas/scene.ts'
import { ToolButton } from '#ui/layout/toolbar.tsx'
import { saveScene } from '../model/saved-scene.ts'
import { edgesCsv, upsertPayload, verticesCsv } from '../model/scene-export.ts'
import type { Explorer } from '../use-explorer.ts'

async function tried(save: () => Promise<void> | void, fail: (error: unknown) => void) {
  try {
    await save()
  } catch (error) {
    fail(error)
  }
}

interface ExportMenuProps {
  readonly graph: string
  readonly explorer: Explorer
  readonly canvas: RefObject<CanvasHandle | null>
}

export function ExportMenu({ graph, explorer, canvas }: ExportMenuProps) {
  const client = useQueryClient()
  const { scene, fail } = explorer
  const files: Readonly<Record<string, () => Promise<void> | void>> = {
    'Picture as PNG': async () => {
      if (canvas.current !== null) downloadBlob(`${graph}.png`, await canvas.current.exportPng())
    },
    'Picture as SVG': () => {
      if (canvas.current !== null)
        downloadText(`${graph}.svg`, canvas.current.exportSvg(), 'image/svg+xml')
    },
    'Scene as JSON': () => {
      const text = saveScene(scene, scene.positions)
      if (text === null) throw new Error('The scene is too large to be kept.')
      downloadText(`${graph}-scene.json`, text)
    },
    'Vertices as CSV': () => downloadText(`${graph}-vertices.csv`, verticesCsv(scene), 'text/csv'),
    'Edges as CSV': () => downloadText(`${graph}-edges.csv`, edgesCsv(scene), 'text/csv'),
    'Upsert payload': async () => {
      const schema = await client.fetchQuery(graphSchemaQuery(graph))
      downloadText(`${graph}-upsert.json`, upsertPayload(schema, scene))
    },
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ToolButton label="Export" disabled={scene.vertices.size === 0}>
          <Download size={15} aria-hidden="true" />
        </ToolButton>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(files).map(([label, save]) => (
          <Menu.Item key={label} onClick={() => void tried(save, fail)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
