interface Version {
  readonly name: string
  readonly version: string
  readonly hash: string
  readonly datetime: string
}

/** For a bug report: a table that issue trackers render. */
export function versionsMarkdown(versions: readonly Version[]): string {
  const rows = versions.map(
    ({ name, version, hash, datetime }) => `| ${name} | ${version} | \`${hash}\` | ${datetime} |`,
  )
  return ['| component | release | hash | date |', '| --- | --- | --- | --- |', ...rows, ''].join(
    '\n',
  )
}
