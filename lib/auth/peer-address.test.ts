import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { installPeerAddress, peerAddressHeader } from './peer-address'

test('the socket is written over what the client claims', async () => {
  installPeerAddress()
  const server = createServer((request, response) => {
    response.end(String(request.headers[peerAddressHeader]))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const headers = { [peerAddressHeader]: '6.6.6.6' }
    const answer = await fetch(`http://127.0.0.1:${port}/`, { headers })
    expect(await answer.text()).toBe('127.0.0.1')
  } finally {
    server.close()
  }
})
