import { afterEach, expect, it } from 'vitest'
import { reauth } from './reauth.ts'

let remove = () => {}
afterEach(() => remove())

it('sends nothing again where nobody can sign in, or nobody has to', async () => {
  expect(await reauth.wait(undefined)).toBe(false)
  remove = reauth.offer(async () => false)
  expect(await reauth.wait(undefined)).toBe(false)
  remove()
  expect(await reauth.wait(undefined)).toBe(false)
})

it('lets all that wait go on with the login, and asks again the next time', async () => {
  let asked = 0
  remove = reauth.offer(async () => {
    asked++
    return true
  })
  const both = Promise.all([reauth.wait(undefined), reauth.wait(undefined)])
  await Promise.resolve()
  reauth.signedIn()
  expect(await both).toEqual([true, true])
  const third = reauth.wait(undefined)
  const early = await Promise.race([third, new Promise((late) => setTimeout(late, 5, 'waits'))])
  expect(early).toBe('waits')
  reauth.signedIn()
  expect(await third).toBe(true)
  expect(asked).toBe(3)
})

it('ends with what it was for', async () => {
  remove = reauth.offer(async () => true)
  const abort = new AbortController()
  const waits = reauth.wait(abort.signal)
  abort.abort(new Error('left'))
  await expect(waits).rejects.toThrow('left')
  await expect(reauth.wait(abort.signal)).rejects.toThrow('left')
})
