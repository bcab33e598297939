/** The label under a node, cut where it is too long so that the badge behind it is never lost. */

/** Model pixels; the stylesheet cuts what is wider, at its end. */
export const LABEL_WIDTH_MAX = 140
export const LABEL_FONT_SIZE = 12

export type WidthOf = (text: string) => number

/** Measures as the canvas draws: letters are of very different widths. */
export function labelMeter(font: string): WidthOf {
  const pen = document.createElement('canvas').getContext('2d')
  if (pen === null) return (text) => text.length * LABEL_FONT_SIZE
  pen.font = `${LABEL_FONT_SIZE}px ${font}`
  return (text) => pen.measureText(text).width
}

/** As many letters as find room before the badge. */
export function labelWith(badge: string | undefined, label: string, widthOf: WidthOf): string {
  if (badge === undefined) return label
  const fits = (text: string) => Math.ceil(widthOf(`${text} · ${badge}`)) < LABEL_WIDTH_MAX
  if (fits(label)) return `${label} · ${badge}`
  const letters = [...label]
  const cut = (count: number) => `${letters.slice(0, count).join('').trimEnd()}…`
  let [fitting, beyond] = [0, letters.length]
  while (beyond - fitting > 1) {
    const middle = (fitting + beyond) >> 1
    if (fits(cut(middle))) fitting = middle
    else beyond = middle
  }
  return `${cut(fitting)} · ${badge}`
}
