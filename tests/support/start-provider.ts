import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A stand-in for a provider, and the headers that it received. */
export type Provider = { server: Server; url: string; requested: IncomingHttpHeaders[] }

/** Starts a provider that lists one model to requests with an accepted key. */
export async function startProvider(accepted: ReadonlySet<string>): Promise<Provider> {
  const requests: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    requests.push(request.headers)
    const key = request.headers.authorization?.replace('Bearer ', '') ?? ''
    response.statusCode = accepted.has(key) ? 200 : 401
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'm-1', object: 'model' }] }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { server, url: `http://127.0.0.1:${port}/v1`, requested: requests }
}
