/** Environment variables by name. */
export const allocatorSettings: Readonly<Record<string, string>>
