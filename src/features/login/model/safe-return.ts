import { paths } from '#lib/paths.ts'

/** Where a login leads: only to addresses of this console, since `//elsewhere` would leave it. */
export const safeReturn = (from: string | null): string =>
  from !== null && /^\/(?![/\\])/.test(from) ? from : paths.home()
