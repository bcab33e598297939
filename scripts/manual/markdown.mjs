/** Markdown as on GitHub: the same anchors, tables, and links that the manual knows. */
import MarkdownIt from 'markdown-it'

/** So much of a section's text is searched; lists of hundreds of fields are not. */
const SEARCHED_CHARS_MAX = 1200

export function createMarkdown() {
  const markdown = new MarkdownIt({ html: true })
  return { page: (text, resolve) => pageOf(markdown, text, resolve) }
}

function pageOf(markdown, text, resolve) {
  const tokens = markdown.parse(text, {})
  const headings = []
  const used = new Map()
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const words = textOf(tokens[at + 1])
      const heading = { level: Number(token.tag.slice(1)), text: words, id: anchorOf(words, used) }
      token.attrSet('id', heading.id)
      headings.push(heading)
    }
    // The policy of the pages allows no styles inside of them.
    const style = token.attrGet('style')
    if (style !== null) {
      token.attrs = token.attrs.filter(([name]) => name !== 'style')
      token.attrSet('class', style.replace('text-align:', ''))
    }
    if (token.type === 'inline') linkTokens(token, resolve)
  }
  const html = markdown.renderer.render(tokens, markdown.options, {})
  return { title: headings[0]?.text ?? 'Quiver', headings, tokens, html: scrollable(html) }
}

/** Wide tables scroll by themselves, also by keys. */
function scrollable(html) {
  return html
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
}

function linkTokens(token, resolve) {
  const open = []
  for (const child of token.children) {
    if (child.type === 'image') child.attrSet('src', resolve(child.attrGet('src')))
    if (child.type === 'link_open') {
      const target = resolve(child.attrGet('href'))
      if (target !== null) child.attrSet('href', target)
      // What is in the repository only keeps its words.
      else child.tag = 'span'
      child.attrs = target === null ? [] : child.attrs
      open.push(child.tag)
    }
    if (child.type === 'link_close') child.tag = open.pop()
  }
}

const textOf = ({ children }) =>
  children
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('')

/** As GitHub makes them. */
function anchorOf(text, used) {
  const plain = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
  const count = used.get(plain) ?? 0
  used.set(plain, count + 1)
  return count === 0 ? plain : `${plain}-${count}`
}

/** @returns what is searched: one entry for each heading, with the text below it */
export function sectionsOf({ title, headings, tokens }, address) {
  const sections = []
  let at = 0
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const { id, text, level } = headings[at]
      at++
      sections.push({
        address: level === 1 ? address : `${address}#${id}`,
        title: text,
        page: title,
        text: '',
      })
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      append(sections.at(-1), textOf(token))
    } else if (token.type === 'fence') append(sections.at(-1), token.content)
  }
  return sections
}

function append(section, text) {
  if (section !== undefined && section.text.length < SEARCHED_CHARS_MAX) {
    section.text += `${text.slice(0, SEARCHED_CHARS_MAX)}\n`
  }
}

export const escapeHtml = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
