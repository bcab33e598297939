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
<header><h1>Quiver: interface</h1>
<p>Generated from the server's own contract. The same as data: <a href="/openapi.json">/openapi.json</a>.</p>
<label>Search <input id="search" type="search" autofocus></label></header>
<main id="operations" aria-live="polite">Loading…</main>
</body>
</html>
`

export const docsStyle = `:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif }
body { max-width: 62rem; margin: 0 auto; padding: 1rem }
details { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: .35rem 0 }
summary { cursor: pointer }
code, pre { font-family: ui-monospace, monospace; font-size: 13px }
pre { overflow: auto; padding: .5rem; background: color-mix(in srgb, currentColor 6%, transparent) }
.method { display: inline-block; min-width: 4.5em; font-weight: 600 }
table { border-collapse: collapse } td, th { text-align: left; padding: .1rem .8rem .1rem 0; vertical-align: top }
input { font: inherit; padding: .2rem .4rem }
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
const parameterRow = (one) => element('tr', '', element('td', one.name), element('td', one.in),
  element('td', one.required ? 'required' : ''), element('td', JSON.stringify(one.schema)))
const failureRow = ([status, one]) => element('tr', '', element('td', status), element('td', one.description))
function operation(method, path, one) {
  const tag = element('span', method.toUpperCase())
  tag.className = 'method'
  const details = element('details', '', element('summary', '', tag, element('code', path), ' ', one.summary))
  details.dataset.text = (method + ' ' + path + ' ' + one.summary).toLowerCase()
  details.addEventListener('toggle', () => {
    if (details.childElementCount > 1) return
    details.append(element('p', one.description))
    if (one.parameters.length) details.append(element('h3', 'Parameters'), element('table', '', ...one.parameters.map(parameterRow)))
    for (const content of Object.values(one.requestBody?.content ?? {})) details.append(...block('Body', content.schema))
    const { 200: success, ...failures } = one.responses
    for (const content of Object.values(success.content)) details.append(...block('Answer', content.schema))
    details.append(element('h3', 'Failures'), element('table', '', ...Object.entries(failures).map(failureRow)))
  })
  return details
}
const { paths } = await (await fetch('/openapi.json')).json()
const rows = Object.entries(paths).flatMap(([path, item]) => Object.entries(item).map(([method, one]) => operation(method, path, one)))
place.replaceChildren(...rows)
search.addEventListener('input', () => {
  const wanted = search.value.toLowerCase()
  for (const row of rows) row.hidden = !row.dataset.text.includes(wanted)
})
`
