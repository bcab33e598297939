import { counted } from '#lib/format.ts'

/** Vertices that edges brought along: they have defaults, and nobody wrote them. */
export function CreatedEndpoints({ count }: { readonly count: number }) {
  return count > 0 && <span>{counted(count, 'missing endpoint', 'missing endpoints')} created</span>
}
