// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { mount, unmountAll } from '../../testing/dom.tsx'
import { NumberField } from './number-field.tsx'

afterEach(unmountAll)

function shown(props: { readonly value?: number; readonly optional?: boolean } = { value: 4 }) {
  const changes: (number | undefined)[] = []
  function Field() {
    const [value, setValue] = useState(props.value)
    return (
      <NumberField
        label="Threads"
        min={1}
        max={256}
        value={value}
        optional={props.optional ?? false}
        onChange={(next) => {
          changes.push(next)
          setValue(next)
        }}
      />
    )
  }
  const { user } = mount(<Field />)
  return {
    user,
    changes,
    field: screen.getByRole<HTMLInputElement>('textbox', { name: 'Threads' }),
  }
}

it('takes what is typed as soon as it is a number in its range', async () => {
  const { user, changes, field } = shown()
  await user.clear(field)
  expect([changes, field.getAttribute('aria-invalid')]).toEqual([[], 'true'])
  await user.type(field, '25')
  expect(changes).toEqual([2, 25])
  await user.type(field, '9')
  expect([field.value, field.getAttribute('aria-invalid'), changes]).toEqual([
    '259',
    'true',
    [2, 25],
  ])
  expect(screen.getByText('1 to 256')).toBeDefined()
})

it('goes back to its value when it is left with anything else', async () => {
  const { user, changes, field } = shown()
  await user.type(field, 'x')
  expect(field.value).toBe('4x')
  await user.tab()
  expect([field.value, field.getAttribute('aria-invalid'), changes]).toEqual(['4', null, []])
})

it('steps by arrow keys and by tens, and stops at its ends', async () => {
  const { user, changes, field } = shown()
  await user.type(field, '{ArrowUp}{PageUp}{ArrowDown}')
  expect(changes).toEqual([5, 15, 14])
  await user.keyboard('{PageDown}{PageDown}')
  expect([changes.at(-1), field.value]).toEqual([1, '1'])
})

it('may be empty where it is optional, and steps from there to its lower end', async () => {
  const { user, changes, field } = shown({ value: 7, optional: true })
  await user.clear(field)
  expect([changes, field.getAttribute('aria-invalid')]).toEqual([[undefined], null])
  await user.keyboard('{ArrowUp}')
  expect(field.value).toBe('1')
})
