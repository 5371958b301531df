import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sends, startWebServer } from '@/tests/support/web-server'
import { sendRequest } from './web-request'

test('a connection that ends while its content waits to be read does no harm', async () => {
  // A little more than usually waits for a reader, so that the connection ends at the end of what was read.
  const content = Buffer.alloc(64 * 1024 + 1)
  const server = await startWebServer({ '/': sends(content) })
  const readLate = async () => {
    for (let left = 500; left > 0; left--) await turn()
  }
  const reply = await sendRequest(
    { url: new URL(server.origin), privateAllowed: true },
    { method: 'GET', headers: {} },
    { expect: readLate, count: async () => undefined },
    new AbortController().signal,
  )
  expect(reply.content).toHaveLength(content.length)
  await server.close()
})
