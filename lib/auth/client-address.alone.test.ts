import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { forwardedHeader, installPeerAddress, peerAddressHeader } from './client-address'

test('the socket, and whether a proxy named a client, is written over what the client claims', async () => {
  installPeerAddress()
  const server = createServer((request, response) => {
    const { [peerAddressHeader]: peer, [forwardedHeader]: forwarded } = request.headers
    response.end(`${peer} ${forwarded}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const answerTo = async (headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${port}/`, { headers })).text()
    const forged = { [peerAddressHeader]: '6.6.6.6', [forwardedHeader]: 'yes' }
    expect(await answerTo(forged)).toBe('127.0.0.1 undefined')
    expect(await answerTo({ 'X-Forwarded-For': '6.6.6.6' })).toBe('127.0.0.1 yes')
  } finally {
    server.close()
  }
})
