/** A scene as part of an address. Who opens the link reads attributes anew, with rights of their own. */
import { packText, unpackText } from '#lib/packed-text.ts'

const MARK = 'scene'

export const packScene = (text: string): Promise<string> => packText(MARK, text)

/** Null when the fragment holds no scene. */
export const unpackScene = (fragment: string): Promise<string | null> => unpackText(MARK, fragment)
