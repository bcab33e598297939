/** Runs force layouts off the main thread: one request, one answer, then the caller ends it. */
import { type ForceRequest, runForce } from './force.ts'

self.onmessage = (event: MessageEvent<ForceRequest>) => {
  const positions = runForce(event.data)
  self.postMessage(positions, { transfer: [positions.buffer as ArrayBuffer] })
}
