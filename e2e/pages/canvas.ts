/** Where things are on a canvas, found as an eye finds them: by the colour of their outline. */
import { expect, type Locator, type Page } from '@playwright/test'

interface Place {
  readonly x: number
  readonly y: number
}

/**
 * The middle of a vertex type's card in page coordinates, once it has stopped moving. The colour
 * comes from the mark beside the type's name, so types on the canvas need colours of their own.
 */
export async function middleOfType(canvas: Locator, mark: Locator): Promise<Place> {
  const colour = await colourOf(mark)
  let last = ''
  let place: Place | null = null
  await expect
    .poll(async () => {
      place = await middleOfColour(canvas, colour)
      const now = JSON.stringify(place)
      const isStill = place !== null && now === last
      last = now
      return isStill
    })
    .toBe(true)
  if (place === null) throw new Error(`nothing in ${colour} on the canvas`)
  return place
}

/** Whether anything is drawn in the full colour of a mark; what is dimmed is not. */
export async function showsColour(canvas: Locator, mark: Locator): Promise<boolean> {
  return (await middleOfColour(canvas, await colourOf(mark))) !== null
}

const colourOf = (mark: Locator): Promise<string> =>
  mark
    .locator('[aria-hidden="true"]')
    .first()
    .evaluate(
      (disc) => disc.ownerDocument.defaultView?.getComputedStyle(disc).backgroundColor ?? '',
    )

function middleOfColour(canvas: Locator, colour: string): Promise<Place | null> {
  return canvas.evaluate((region, wanted) => {
    const [red = 0, green = 0, blue = 0] = wanted.match(/\d+/g)?.map(Number) ?? []
    const isWanted = (data: Uint8ClampedArray, at: number) =>
      (data[at + 3] ?? 0) > 250 &&
      Math.abs((data[at] ?? 0) - red) < 4 &&
      Math.abs((data[at + 1] ?? 0) - green) < 4 &&
      Math.abs((data[at + 2] ?? 0) - blue) < 4
    for (const layer of region.querySelectorAll('canvas')) {
      const { width, height } = layer
      const target = layer.ownerDocument.createElement('canvas')
      target.width = width
      target.height = height
      const copy = target.getContext('2d', { willReadFrequently: true })
      if (copy === null || width * height === 0) continue
      copy.drawImage(layer, 0, 0)
      const { data } = copy.getImageData(0, 0, width, height)
      let [left, right, top, bottom] = [width, -1, height, -1]
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          if (!isWanted(data, 4 * (y * width + x))) continue
          left = Math.min(left, x)
          right = Math.max(right, x)
          top = Math.min(top, y)
          bottom = Math.max(bottom, y)
        }
      }
      if (right < 0) continue
      const box = layer.getBoundingClientRect()
      const scale = box.width / width
      return {
        x: Math.round(box.left + ((left + right) / 2) * scale),
        y: Math.round(box.top + ((top + bottom) / 2) * scale),
      }
    }
    return null
  }, colour)
}

/** A real drag: down, several moves, up. */
export async function drag(page: Page, from: Place, to: Place): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 6 })
  await page.mouse.move(to.x, to.y, { steps: 6 })
  await page.mouse.up()
}
