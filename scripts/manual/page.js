/** Search and the menu of the manual. Without it the pages can be read and followed. */
import MiniSearch from 'minisearch'

const SHOWN_MAX = 12
const CONTEXT_CHARS = 120
const input = document.getElementById('search')
const found = document.getElementById('found')
const menu = document.getElementById('menu')

let index = null
/** Loaded with the first use. Names such as `REST-30000` and `to_datetime` are words, and so are their parts. */
function loadIndex() {
  index ??= fetch('/docs/assets/sections.json')
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.statusText))))
    .then((sections) => {
      const search = new MiniSearch({
        idField: 'address',
        fields: ['title', 'text', 'page'],
        storeFields: ['title', 'page', 'text'],
        tokenize: (text) => text.split(/[^\p{L}\p{N}_@-]+/u).flatMap(withParts),
        searchOptions: {
          boost: { title: 4 },
          prefix: true,
          // The word itself counts more than longer words that begin with it.
          weights: { prefix: 0.1, fuzzy: 0.05 },
          fuzzy: (word) => (word.length > 4 ? 0.2 : false),
          combineWith: 'AND',
        },
      })
      search.addAll(sections)
      return search
    })
    .catch((error) => {
      index = null
      throw error
    })
  return index
}

function withParts(word) {
  const parts = word.split(/[-_]/).filter(Boolean)
  return parts.length > 1 ? [word, ...parts] : [word]
}

function resultItem({ id, title, page, text }, words) {
  const link = document.createElement('a')
  link.href = id
  const name = document.createElement('strong')
  name.textContent = title === page ? title : `${page}: ${title}`
  const excerpt = document.createElement('span')
  excerpt.textContent = excerptOf(text, words)
  link.append(name, excerpt)
  return link
}

function excerptOf(text, words) {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - CONTEXT_CHARS / 3)
  const start = places.length === 0 ? 0 : from
  return `${start > 0 ? '…' : ''}${text.slice(start, start + CONTEXT_CHARS)}`
}

function say(text) {
  const line = document.createElement('p')
  line.textContent = text
  found.replaceChildren(line)
}

async function show() {
  const query = input.value.trim()
  found.hidden = query === ''
  if (query === '') return
  try {
    const search = await loadIndex()
    if (query !== input.value.trim()) return
    const results = search.search(query).slice(0, SHOWN_MAX)
    const words = query.toLowerCase().split(/\s+/)
    if (results.length === 0) say('Nothing is found.')
    else found.replaceChildren(...results.map((result) => resultItem(result, words)))
  } catch (error) {
    say(`The search could not be loaded: ${error.message}`)
  }
}

function move(event) {
  const links = [...found.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement)
  if (event.key === 'Escape') {
    input.value = ''
    found.hidden = true
    input.focus()
  } else if (event.key === 'ArrowDown') (links[at + 1] ?? links[0])?.focus()
  else if (event.key === 'ArrowUp') (links[at - 1] ?? input).focus()
  else return
  event.preventDefault()
}

input.addEventListener('focus', () => void loadIndex().catch(() => undefined), { once: true })
input.addEventListener('input', show)
input.addEventListener('keydown', move)
found.addEventListener('keydown', move)
found.addEventListener('click', () => {
  found.hidden = true
})
input.form.addEventListener('submit', (event) => {
  event.preventDefault()
  found.querySelector('a')?.click()
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || document.activeElement === input || event.ctrlKey || event.metaKey)
    return
  event.preventDefault()
  input.focus()
})
menu.addEventListener('click', () => {
  const isOpen = document.body.classList.toggle('open')
  menu.setAttribute('aria-expanded', String(isOpen))
})

// The console leads here with a word that it asks about.
const asked = new URLSearchParams(location.search).get('q')
if (asked !== null) {
  input.value = asked
  void show()
}
