export function chromiumPath(): string | null
export function headlessPath(): string | null
