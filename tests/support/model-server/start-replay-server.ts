import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answer to a request: these bytes in these pieces, and the end of the connection after them, if any. */
export type Replay = {
  contentType: string
  pieces: readonly Uint8Array[]
  ending: 'end' | 'destroy' | 'stay-open'
  /** Gives the reader the time to take each piece before the next. */
  slow?: boolean
}

/** Starts a real HTTP server that answers every request with recorded bytes, each piece as its own write. */
export async function startReplayServer(replayOf: (path: string) => Replay) {
  const server = createServer((message, response) => {
    message.resume()
    message.on('end', async () => {
      const { contentType, pieces, ending, slow } = replayOf(message.url ?? '')
      response.writeHead(200, { 'content-type': contentType })
      response.flushHeaders()
      for (const piece of pieces) {
        // Waits until the socket took it, so that pieces are not joined into one.
        await new Promise<void>((resolve) => response.write(piece, () => resolve()))
        if (slow) await turnsOfTheLoop(3)
      }
      if (ending === 'end') response.end()
      else if (ending === 'destroy') response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function turnsOfTheLoop(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++)
    await new Promise<void>((resolve) => setImmediate(resolve))
}
