/** The page that reads `/openapi.json` aloud: one file of markup, one of script, nothing foreign. */

export const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const docsHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Quiver: interface</title>
<link rel="stylesheet" href="/quiver/v1/docs/style.css">
<script type="module" src="/quiver/v1/docs/page.js"></script>
</head>
<body>
<header>
<h1>Quiver <span>API reference</span></h1>
<p>Every endpoint, from the server's own contract. The same as data: <a href="/openapi.json">/openapi.json</a>.</p>
<label for="search">Search</label>
<input id="search" type="search" placeholder="upsert, /gsql/v1/queries, DELETE …" autofocus>
<p id="count" role="status"></p>
</header>
<main id="operations">Loading…</main>
</body>
</html>
`

export const docsStyle = `:root {
  color-scheme: light dark; font: 13px/1.5 system-ui, sans-serif;
  --bg: light-dark(#f5f6f8, #0e1014); --surface: light-dark(#fff, #15181d); --border: light-dark(#dfe2e8, #272c35);
  --text: light-dark(#14171d, #e4e7ec); --muted: light-dark(#4d5564, #a3abb8); --accent: light-dark(#4045c4, #a3a8ff);
  --green: light-dark(#14703f, #5cc98b); --red: light-dark(#b42323, #ff8a80);
}
* { box-sizing: border-box }
body { max-width: 66rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; background: var(--bg); color: var(--text) }
h1 { font-size: 20px; margin: 0 } h1 span { color: var(--muted); font-weight: 400 }
h3 { font-size: 13px; margin: 1rem 0 .25rem }
header p { color: var(--muted); margin: .25rem 0 .75rem }
a { color: var(--accent) }
label { display: block; font-size: 12px; font-weight: 500; color: var(--muted) }
input { font: inherit; width: min(26rem, 100%); height: 32px; padding: 0 .6rem; color: inherit; background: var(--surface);
  border: 1px solid light-dark(#80879a, #727a89); border-radius: 4px }
::placeholder { color: var(--muted); opacity: 1 }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
main { background: var(--surface); border: 1px solid var(--border); border-radius: 4px; overflow-wrap: anywhere }
main > p, main:not(:has(details)) { margin: 0; padding: .75rem; color: var(--muted) }
main[role=alert] { border-left: 3px solid var(--red); color: var(--red) }
details + details { border-top: 1px solid var(--border) }
details > :not(summary) { margin-inline: .75rem }
details[open] { padding-bottom: .75rem }
summary { cursor: pointer; display: grid; gap: 0 .75rem; grid-template-columns: 4.75rem minmax(0, 5fr) minmax(0, 6fr); padding: .45rem .75rem }
summary:hover { background: light-dark(#eef0f4, #1e222a) }
summary:focus-visible { outline-offset: -2px }
code, pre { font-family: ui-monospace, monospace; font-size: 12px }
summary code { line-height: 1.65 }
.said { color: var(--muted) }
pre { overflow: auto; max-height: 32rem; padding: .6rem; margin: 0; background: var(--bg); border: 1px solid var(--border); border-radius: 4px }
.method { font-weight: 600; color: var(--accent) }
.method[data-method=post], .method[data-method=put] { color: var(--green) }
.method[data-method=delete] { color: var(--red) }
table { border-collapse: collapse } td, th { text-align: left; padding: .1rem .8rem .1rem 0; vertical-align: top }
td:first-child { white-space: nowrap }
@media (max-width: 40rem) { summary { grid-template-columns: 4.75rem minmax(0, 1fr) } .said { grid-column: 2 } }
`

export const docsScript = `const place = document.getElementById('operations')
const search = document.getElementById('search')
const element = (name, text, ...children) => {
  const made = document.createElement(name)
  if (text) made.textContent = text
  made.append(...children)
  return made
}
const block = (title, value) => [element('h3', title), element('pre', JSON.stringify(value, null, 2))]
const typeText = ({ type, ...more }) => typeof type !== 'string' ? JSON.stringify({ type, ...more })
  : [type, ...Object.entries(more).map(([name, value]) => name + ' ' + JSON.stringify(value))].join(', ')
const parameterRow = (one) => element('tr', '', element('td', one.name), element('td', one.in),
  element('td', one.required ? 'required' : ''), element('td', typeText(one.schema)))
const failureRow = ([status, one]) => element('tr', '', element('td', status), element('td', one.description))
function operation(method, path, one) {
  const tag = element('span', method.toUpperCase())
  tag.className = 'method'
  tag.dataset.method = method
  const said = element('span', one.summary)
  said.className = 'said'
  const details = element('details', '', element('summary', '', tag, element('code', path), said))
  details.dataset.text = (method + ' ' + path + ' ' + one.summary).toLowerCase()
  details.addEventListener('toggle', () => {
    if (details.childElementCount > 1) return
    if (one.description) details.append(element('p', one.description))
    if (one.parameters.length) details.append(element('h3', 'Parameters'), element('table', '', ...one.parameters.map(parameterRow)))
    for (const content of Object.values(one.requestBody?.content ?? {})) details.append(...block('Body', content.schema))
    const { 200: success, ...failures } = one.responses
    for (const content of Object.values(success.content)) details.append(...block('Answer', content.schema))
    details.append(element('h3', 'Failures'), element('table', '', ...Object.entries(failures).map(failureRow)))
  })
  return details
}
const read = async () => {
  const answer = await fetch('/openapi.json')
  if (!answer.ok) throw new Error('the server answered ' + answer.status)
  return answer.json()
}
const { paths } = await read().catch((error) => {
  place.setAttribute('role', 'alert')
  place.textContent = 'The reference could not be read: ' + error.message + '. Reload the page to try again.'
  throw error
})
const isRefused = ([, , one]) => Number(one.summary.startsWith('Refused:'))
const rows = Object.entries(paths)
  .flatMap(([path, item]) => Object.entries(item).map(([method, one]) => [method, path, one]))
  .sort((a, b) => isRefused(a) - isRefused(b))
  .map((parts) => operation(...parts))
const none = element('p', 'No operation fits.')
place.replaceChildren(...rows, none)
const show = () => {
  const words = search.value.toLowerCase().split(/\\s+/)
  for (const row of rows) row.hidden = !words.every((word) => row.dataset.text.includes(word))
  const shown = rows.filter((row) => !row.hidden).length
  none.hidden = shown > 0
  document.getElementById('count').textContent =
    shown === rows.length ? shown + ' operations' : shown + ' of ' + rows.length + ' operations'
}
search.addEventListener('input', show)
show()
`
