/** Rules for the look of each type on the canvas: label, colour and size by attribute. */
import { Button, NativeSelect } from '@mantine/core'
import { useMemo } from 'react'
import { EmptyState } from '#ui/feedback/states.tsx'
import { TypeTag } from '#ui/theme/type-tag.tsx'
import type { TypeStyle } from '../model/scene.ts'
import { BY_EDGES, choicesOf, plainStyle, withStyle } from '../model/scene-style.ts'
import type { Explorer } from '../use-explorer.ts'
import classes from './inspector.module.css'

export function StylePanel({ explorer }: { readonly explorer: Explorer }) {
  const { scene, change } = explorer
  const { vertices, edges, styles } = scene
  const types = useMemo(
    () => [
      ...[...new Set([...vertices.values()].map(({ type }) => type))].map(
        (type) => ({ type, kind: 'vertex' }) as const,
      ),
      ...[...new Set([...edges.values()].map(({ type }) => type))].map(
        (type) => ({ type, kind: 'edge' }) as const,
      ),
    ],
    [vertices, edges],
  )
  if (types.length === 0) return <EmptyState text="Nothing on the canvas to style." />
  return (
    <div className={classes.panel}>
      <p className={classes.note}>
        The legend shows what the colours stand for. Styles are part of the scene: they are saved
        and shared with it, and undone like any other step.
      </p>
      {types.map(({ type, kind }) => (
        <TypeRules key={`${kind} ${type}`} {...{ type, kind, explorer }} />
      ))}
      <div className={classes.actions}>
        <Button
          variant="default"
          disabled={styles.size === 0}
          onClick={() => change('Reset styles', (now) => ({ ...now, styles: new Map() }))}
        >
          Reset all
        </Button>
      </div>
    </div>
  )
}

interface TypeRulesProps {
  readonly type: string
  readonly kind: 'vertex' | 'edge'
  readonly explorer: Explorer
}

function TypeRules({ type, kind, explorer }: TypeRulesProps) {
  const { scene, change } = explorer
  const { attributes, numeric } = useMemo(() => choicesOf(scene, type), [scene, type])
  const style = scene.styles.get(type) ?? plainStyle
  const set = (part: keyof TypeStyle, value: string) =>
    change(`Style of ${type}`, (now) => withStyle(now, type, { [part]: value || null }))
  const isVertex = kind === 'vertex'
  const rules = [
    { part: 'label', title: 'Label', plain: isVertex ? 'name or id' : 'type', by: attributes },
    { part: 'color', title: 'Colour', plain: 'of the type', by: attributes },
    { part: 'size', title: isVertex ? 'Size' : 'Width', plain: 'all alike', by: numeric },
  ] as const
  return (
    <section aria-label={`Style of ${type}`}>
      <h3 className={classes.heading}>
        <TypeTag name={type} kind={kind} />
      </h3>
      <div className={classes.rules}>
        {rules.map(({ part, title, plain, by }) => (
          <NativeSelect
            key={part}
            label={title}
            value={style[part] ?? ''}
            onChange={(event) => set(part, event.currentTarget.value)}
            data={[
              { value: '', label: plain },
              ...(part === 'size' && isVertex
                ? [{ value: BY_EDGES, label: 'edges on the canvas' }]
                : []),
              ...withChosen(by, style[part]).map((name) => ({ value: name, label: name })),
            ]}
          />
        ))}
      </div>
    </section>
  )
}

/** A rule of a saved scene may name what is not known yet. */
function withChosen(names: readonly string[], chosen: string | null): readonly string[] {
  if (chosen === null || chosen === BY_EDGES || names.includes(chosen)) return names
  return [...names, chosen]
}
