/** A run of a query as a program would write it: with the host of this page and a token's place. */
import { stringifyLossless } from '#lib/json/lossless-json.ts'

export interface RunCall {
  /** `http://host:port`. */
  readonly origin: string
  readonly graph: string
  readonly name: string
  readonly parameters: Readonly<Record<string, unknown>>
}

export const snippetKinds = [
  { id: 'curl', label: 'curl' },
  { id: 'python', label: 'Python' },
  { id: 'typescript', label: 'TypeScript' },
] as const

export type SnippetKind = (typeof snippetKinds)[number]['id']

/** Named in every snippet, so that nobody pastes a real one into a chat. */
const TOKEN = 'QUIVER_TOKEN'

export function snippetOf(kind: SnippetKind, call: RunCall): string {
  const url = `${call.origin}/restpp/query/${encodeURIComponent(call.graph)}/${encodeURIComponent(call.name)}`
  const body = stringifyLossless(call.parameters)
  switch (kind) {
    case 'curl':
      return curl(url, body)
    case 'python':
      return python(url, body)
    case 'typescript':
      return typescript(url, body)
  }
}

function curl(url: string, body: string): string {
  const quoted = `'${body.replaceAll("'", "'\\''")}'`
  return [
    `curl -X POST '${url}'`,
    `-H "Authorization: Bearer $${TOKEN}"`,
    `-H 'Content-Type: application/json'`,
    `--data-binary ${quoted}`,
  ].join(' \\\n  ')
}

/** The body stays text: a number beyond 2^53 passes through no number of the language. */
function python(url: string, body: string): string {
  return `import os
import requests

answer = requests.post(
    ${JSON.stringify(url)},
    headers={
        "Authorization": f"Bearer {os.environ['${TOKEN}']}",
        "Content-Type": "application/json",
    },
    data=${JSON.stringify(body)}.encode(),
    timeout=600,
).json()
if answer["error"]:
    raise RuntimeError(answer["message"])
print(answer["results"])
`
}

function typescript(url: string, body: string): string {
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env['${TOKEN}']}\`,
    'Content-Type': 'application/json',
  },
  body: ${JSON.stringify(body)},
})
const answer = (await response.json()) as { error: boolean; message: string; results: unknown[] }
if (answer.error) throw new Error(answer.message)
console.log(answer.results)
`
}
