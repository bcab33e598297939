// @vitest-environment jsdom
import { createEvent, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { mount, unmountAll } from '../../testing/dom.tsx'
import { FileDrop } from './file-drop.tsx'

afterEach(unmountAll)

const file = new File(['a,b\n1,2\n'], 'cities.csv', { type: 'text/csv' })

function shown() {
  const onFile = vi.fn()
  const view = mount(
    <FileDrop
      label="CSV file"
      text="Drop a file."
      hint="Up to 1 GB."
      accept=".csv"
      onFile={onFile}
    />,
  )
  const place = screen.getByRole('region', { name: 'Choose a file' })
  return { ...view, onFile, place, field: screen.getByLabelText<HTMLInputElement>('CSV file') }
}

it('takes a file that is dropped on it, and shows that it would', () => {
  const { onFile, place } = shown()
  fireEvent.dragOver(place)
  expect(place.dataset['over']).toBe('true')
  fireEvent.dragLeave(place)
  expect(place.dataset['over']).toBe('false')
  fireEvent.dragOver(place)
  fireEvent.drop(place, { dataTransfer: { files: [file] } })
  expect(onFile.mock.calls).toEqual([[file]])
  expect(place.dataset['over']).toBe('false')
  fireEvent.drop(place, { dataTransfer: { files: [] } })
  expect(onFile).toHaveBeenCalledTimes(1)
})

it('takes a file that is chosen, of the kinds it accepts', async () => {
  const { user, onFile, field } = shown()
  const click = vi.spyOn(field, 'click')
  await user.click(screen.getByRole('button', { name: 'Choose a file' }))
  expect(click).toHaveBeenCalledTimes(1)
  await user.upload(field, new File(['x'], 'x.png', { type: 'image/png' }))
  expect(onFile).not.toHaveBeenCalled()
  await user.upload(field, file)
  expect(onFile.mock.calls).toEqual([[file]])
})

it('does not let a file beside it replace the page, while it is there', () => {
  const { unmount } = shown()
  const isStopped = () => {
    const drop = createEvent.drop(document.body)
    fireEvent(document.body, drop)
    return drop.defaultPrevented
  }
  expect(isStopped()).toBe(true)
  unmount()
  expect(isStopped()).toBe(false)
})
