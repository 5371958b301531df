import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  answered,
  ask,
  closeAll,
  closeLater,
  serve,
  wires,
} from '@/lib/engines/providers/__fixtures__/ask-provider'

afterEach(closeAll)

describe.each(wires)('%s', (wire) => {
  it('follows no redirect, so that the key stays with its host', async () => {
    const reached: unknown[] = []
    const other = await serve((message, response) => {
      reached.push(message.headers)
      answered(200, {})(message, response)
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const { failure } = await ask(
        wire,
        await serve(answered(status, '', { location: `${other}/v1/chat/completions` })),
      )
      expect(failure).toMatchObject({ category: 'invalid-response', status })
    }
    expect(reached).toEqual([])
  })

  it('recognises a server that does not speak HTTP', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closeLater(() => new Promise((resolve) => server.close(() => resolve())))
    const { failure } = await ask(
      wire,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    )
    expect(failure?.category).toBe('invalid-response')
  })
})
