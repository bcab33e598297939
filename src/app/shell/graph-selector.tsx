import { Menu } from '@mantine/core'
import { Check, ChevronsUpDown } from 'lucide-react'
import type { GraphSummary } from '#api/graphs.ts'
import classes from './top-bar.module.css'
import { useChooseGraph } from './use-choose-graph.ts'

interface GraphSelectorProps {
  readonly graph: string
  readonly graphs: readonly GraphSummary[]
}

/** Changes the graph and stays on the page. */
export function GraphSelector({ graph, graphs }: GraphSelectorProps) {
  const choose = useChooseGraph()
  if (graphs.length === 0) return null
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <button type="button" className={classes.graph} aria-label={`Graph ${graph}, change`}>
          <span className={classes.graphName}>{graph}</span>
          <ChevronsUpDown size={13} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown aria-label="Graphs">
        {graphs.map(({ name, vertexTypes, edgeTypes }) => (
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
                {vertexTypes.length + edgeTypes.length} types
              </span>
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
