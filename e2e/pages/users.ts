/** Users made through the public API, and a browser in which one of them is signed in. */
import type { Page } from '@playwright/test'
import { send } from './graphs.ts'

export const PASSWORD = 'eight letters'

/** A user who may sign in with PASSWORD, and what the role lets them do on the sample graph. */
export async function makeUser(url: string, name: string, role?: string): Promise<void> {
  await send('POST', `${url}/gsql/v1/users`, { name, password: PASSWORD })
  if (role === undefined) return
  const grant = `${url}/gsql/v1/roles/grant?graph=sample`
  await send('POST', grant, { roles: [role], users: [name] })
}

export async function signIn(page: Page, url: string, user: string, password = PASSWORD) {
  const answer = await page.request.post(`${url}/quiver/v1/session`, { data: { user, password } })
  if (!answer.ok()) throw new Error(`sign-in of ${user}: ${answer.status()}`)
}
