/**
 * An icon for a type, by the words of its name; a type whose name has none of them shows its first
 * letters. On a canvas the icon is the second channel for whoever cannot tell colours apart.
 */
import { __iconData as bookOpen } from 'lucide-react/icons/book-open'
import { __iconData as briefcase } from 'lucide-react/icons/briefcase'
import { __iconData as building } from 'lucide-react/icons/building-complex'
import { __iconData as calendar } from 'lucide-react/icons/calendar'
import { __iconData as car } from 'lucide-react/icons/car'
import { __iconData as creditCard } from 'lucide-react/icons/credit-card'
import { __iconData as dna } from 'lucide-react/icons/dna'
import { __iconData as music } from 'lucide-react/icons/eighth-notes'
import { __iconData as fileText } from 'lucide-react/icons/file-text'
import { __iconData as film } from 'lucide-react/icons/film'
import { __iconData as flag } from 'lucide-react/icons/flag'
import { __iconData as graduationCap } from 'lucide-react/icons/graduation-cap'
import { __iconData as house } from 'lucide-react/icons/house'
import { __iconData as link } from 'lucide-react/icons/link'
import { __iconData as mail } from 'lucide-react/icons/mail'
import { __iconData as mapPin } from 'lucide-react/icons/map-pin'
import { __iconData as messageSquare } from 'lucide-react/icons/message-square'
import { __iconData as packageIcon } from 'lucide-react/icons/package'
import { __iconData as pill } from 'lucide-react/icons/pill'
import { __iconData as plane } from 'lucide-react/icons/plane'
import { __iconData as receipt } from 'lucide-react/icons/receipt'
import { __iconData as server } from 'lucide-react/icons/server'
import { __iconData as shoppingCart } from 'lucide-react/icons/shopping-cart'
import { __iconData as smartphone } from 'lucide-react/icons/smartphone'
import { __iconData as store } from 'lucide-react/icons/store'
import { __iconData as tag } from 'lucide-react/icons/tag'
import { __iconData as user } from 'lucide-react/icons/user-round'
import { __iconData as users } from 'lucide-react/icons/users-round'

type Shape = [
  name: 'circle' | 'path' | 'rect' | 'line' | 'polyline',
  attributes: Record<string, string>,
]

declare module 'lucide-react/icons/user-round' {
  /** Every module of an icon exports it; the package's types leave it out. */
  export const __iconData: { readonly node: TypeIcon }
}

/** Shapes in a square of 24, drawn as lines. */
export type TypeIcon = Shape[]

const icons: readonly (readonly [words: string, icon: { readonly node: TypeIcon }])[] = [
  ['account user person people customer client member author actor employee shopper patient', user],
  ['card', creditCard],
  ['merchant shop store vendor seller supplier', store],
  ['device phone mobile', smartphone],
  ['company organization organisation employer bank corporation firm building', building],
  ['city place location address town region area zip', mapPin],
  ['country nation continent state', flag],
  ['product item part good article', packageIcon],
  ['order cart purchase basket', shoppingCart],
  ['transaction payment invoice transfer bill', receipt],
  ['email mail', mail],
  ['post document doc paper file page patent', fileText],
  ['comment message review tweet', messageSquare],
  ['tag topic category keyword genre class', tag],
  ['server host ip machine router service', server],
  ['airport flight plane airline', plane],
  ['movie film video', film],
  ['song music track album artist', music],
  ['book', bookOpen],
  ['university school course student', graduationCap],
  ['group forum team community', users],
  ['event date day time year month', calendar],
  ['gene protein variant', dna],
  ['drug compound medication', pill],
  ['url link website site domain', link],
  ['house home property', house],
  ['car vehicle', car],
  ['job project', briefcase],
]

const byWord = new Map(
  icons.flatMap(([words, { node }]) => words.split(' ').map((word) => [word, node] as const)),
)

export function typeIcon(typeName: string): TypeIcon | null {
  const words = wordsOf(typeName)
  // The last word says what it is: a `CustomerAddress` is an address.
  for (const word of words.toReversed()) {
    const icon = byWord.get(word) ?? byWord.get(singular(word))
    if (icon !== undefined) return icon
  }
  return null
}

/** At most two letters, of the first two words. */
export function typeInitials(typeName: string): string {
  const first = wordsOf(typeName).map((word) => Array.from(word)[0] ?? '')
  return first.slice(0, 2).join('').toUpperCase()
}

const wordsOf = (typeName: string): readonly string[] =>
  typeName
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.endsWith('s') ? word.slice(0, -1) : word
}

/** As the text of an SVG, for a canvas. */
export function iconSvg(
  { icon, initials }: { icon: TypeIcon | null; initials: string },
  color: string,
): string {
  const content =
    icon === null
      ? `<text x="12" y="12" dy=".36em" text-anchor="middle" font-family="sans-serif" font-size="16" ` +
        `font-weight="600" stroke="none" fill="${color}">${escapedXml(initials)}</text>`
      : icon.map(shapeText).join('')
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none" ' +
    `stroke="${color}" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round">${content}</svg>`
  )
}

function shapeText([name, attributes]: Shape): string {
  const shown = Object.entries(attributes).filter(([attribute]) => attribute !== 'key')
  return `<${name} ${shown.map(([attribute, value]) => `${attribute}="${value}"`).join(' ')}/>`
}

const escapedXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
