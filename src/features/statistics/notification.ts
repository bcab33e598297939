/** Notifications of the browser, for whoever looks at another window meanwhile. */
import { preferences } from '#lib/storage/preferences.ts'

const hasNotifications = (): boolean => 'Notification' in window

export const mayNotify = (): boolean => hasNotifications() && Notification.permission === 'granted'

/** Call it on an act of the user only. @returns whether notifications are allowed now */
export async function askToNotify(): Promise<boolean> {
  if (!hasNotifications()) return false
  return (await Notification.requestPermission().catch(() => 'denied')) === 'granted'
}

/** One at a time: the next takes the place of the one before. */
export function notifyByBrowser(text: string): void {
  if (!preferences.get().latencyNotification || !mayNotify()) return
  try {
    new Notification('Quiver', { body: text, tag: 'quiver-latency-limit' })
  } catch {
    // Some phones have the permission and no constructor: the page has told it anyway.
  }
}
