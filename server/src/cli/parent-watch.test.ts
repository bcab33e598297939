import { expect, it } from 'vitest'
import { watchOf } from './parent-watch.ts'

const npm = { npm_lifecycle_event: 'start', npm_package_name: 'quiver' }

it('is for servers of npm and of the launcher alone', () => {
  const processes = { parent: 5, parentOf: () => 1 }
  for (const [environment, isNeeded] of [
    [npm, true],
    [{ npm_lifecycle_event: 'npx' }, true],
    [{ QUIVER_LAUNCHER: '5' }, true],
    [{}, false],
    [{ QUIVER_LAUNCHER: '6' }, false],
    [{ ...npm, npm_package_name: 'app' }, false],
    [{ npm_lifecycle_event: 'test' }, false],
  ] as const) {
    expect(watchOf(environment, processes).isNeeded, JSON.stringify(environment)).toBe(isNeeded)
  }
})

it('sees that the parent has ended, and the parent of a shell between', () => {
  const parents: Record<number, number> = { 5: 4 }
  const processes = { parent: 5, parentOf: (id: number) => parents[id] ?? null }
  const watch = watchOf(npm, processes)
  expect(watch.parentIsGone()).toBe(false)
  parents[5] = 1
  expect(watch.parentIsGone()).toBe(true)
  parents[5] = 4
  processes.parent = 1
  expect(watch.parentIsGone()).toBe(true)
})

it('does with the parent alone where nothing is known of its parent', () => {
  const processes = { parent: 5, parentOf: () => null }
  const watch = watchOf(npm, processes)
  expect(watch.parentIsGone()).toBe(false)
  processes.parent = 1
  expect(watch.parentIsGone()).toBe(true)
})
