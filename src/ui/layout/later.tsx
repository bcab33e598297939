/**
 * A part of a page whose code comes by itself. Where it has been fetched before, it is drawn at once:
 * `lazy` would show that it is loading, be it for one frame.
 *
 * ```tsx
 * const Editor = later(async () => (await import('./editor.tsx')).Editor)
 * await Editor.fetch()
 * ```
 */
import { type ComponentType, lazy, useState } from 'react'

export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let here: ComponentType<Props> | null = null
  const fetch = async () => {
    here ??= await load()
    return here
  }
  const Waiting = lazy(async () => ({ default: await fetch() }))
  const Later = (props: Props) => {
    // Another component would begin anew.
    const [Part] = useState<ComponentType<Props>>(() => here ?? (Waiting as ComponentType<Props>))
    return <Part {...props} />
  }
  Later.fetch = fetch
  return Later
}
