import { expect, it } from 'vitest'
import { exactStepOf } from './statistics.ts'

it('steps of an exact range divide it as long as seconds are counted', () => {
  expect(exactStepOf(45)).toBe(1)
  expect(exactStepOf(600)).toBe(2)
  expect(exactStepOf(621)).toBe(3)
  expect(exactStepOf(905)).toBe(5)
})

it('a range that no short step divides has the smallest that keeps a chart small', () => {
  expect(exactStepOf(607)).toBe(3)
  expect(exactStepOf(86_400)).toBe(288)
})
