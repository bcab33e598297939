import { Button, Menu } from '@mantine/core'
import { Check, ChevronsUpDown, FileUp, Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import type { GraphSummary } from '#api/graphs.ts'
import { counted } from '#lib/format.ts'
import { paths } from '#lib/paths.ts'
import classes from './top-bar.module.css'
import { useChooseGraph } from './use-choose-graph.ts'

const CreateGraphDialog = lazy(async () => ({
  default: (await import('../../features/schema/components/create-graph-dialog.tsx'))
    .CreateGraphDialog,
}))

interface GraphSelectorProps {
  readonly graph: string
  readonly graphs: readonly GraphSummary[]
}

/** Changes the graph and stays on the page. */
export function GraphSelector({ graph, graphs }: GraphSelectorProps) {
  const choose = useChooseGraph()
  const navigate = useNavigate()
  const [creating, setCreating] = useState(false)
  const dialog = (
    <Suspense>
      {creating && (
        <CreateGraphDialog
          opened
          onClose={() => setCreating(false)}
          onCreated={(name) => {
            setCreating(false)
            void navigate(paths.schema(name))
          }}
        />
      )}
    </Suspense>
  )
  if (graphs.length === 0) {
    return (
      <>
        <Button
          className={classes.create ?? ''}
          variant="default"
          onClick={() => setCreating(true)}
        >
          Create a graph
        </Button>
        {dialog}
      </>
    )
  }
  return (
    <>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <button type="button" className={classes.graph} aria-label={`Graph ${graph}, change`}>
            <span className={classes.initial} data-initial={Array.from(graph)[0]?.toUpperCase()} />
            <span className={classes.graphName}>{graph}</span>
            <ChevronsUpDown size={13} aria-hidden="true" />
          </button>
        </Menu.Target>
        <Menu.Dropdown aria-label="Graphs">
          {graphs.map(({ name, vertexTypes }) => (
            <Menu.Item
              key={name}
              leftSection={
                <Check
                  size={14}
                  aria-hidden="true"
                  style={{ visibility: name === graph ? 'visible' : 'hidden' }}
                />
              }
              onClick={() => choose(name)}
            >
              <span className={classes.graphRow}>
                <span className={classes.graphName}>{name}</span>
                <span className={classes.graphTypes}>
                  {counted(vertexTypes.length, 'vertex type', 'vertex types')}
                </span>
              </span>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<Plus size={14} aria-hidden="true" />}
            onClick={() => setCreating(true)}
          >
            New graph
          </Menu.Item>
          <Menu.Item
            leftSection={<FileUp size={14} aria-hidden="true" />}
            onClick={() => void navigate(paths.start())}
          >
            From a CSV or a schema
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  )
}
