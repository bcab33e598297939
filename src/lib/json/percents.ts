/** The server decodes the percent escapes of strings and ids in the parameters of a run once. */
export const escapePercents = (text: string): string => text.replaceAll('%', '%25')
