/** A path that may be broken after each of its slashes, before it is broken within a word. */
import { Fragment } from 'react'

export function Breakable({ path }: { readonly path: string }) {
  return path.split(/(?<=\/)/).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path keep their places
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
