import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

export type Served = (request: IncomingMessage, response: ServerResponse) => void

/** Starts a web server on this machine that answers each path as `pages` says. `requests` has those it got. */
export async function startWebServer(pages: Readonly<Record<string, Served>>) {
  const requests: IncomingMessage[] = []
  const listener: RequestListener = (request, response) => {
    requests.push(request)
    response.on('error', () => undefined)
    const page = pages[new URL(request.url ?? '/', 'http://host').pathname]
    if (page) page(request, response)
    else response.writeHead(404).end()
  }
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { origin: `http://127.0.0.1:${port}`, port, requests, close }
}

/** Returns a page that sends this content and says how long it is, with headers. */
export function sends(content: string | Uint8Array, headers: Record<string, string> = {}): Served {
  const length = { 'content-length': Buffer.byteLength(content) }
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', ...length, ...headers }).end(content)
  }
}

/** Returns a page that sends this content without saying how long it is. */
export function inPieces(content: Uint8Array, headers: Record<string, string> = {}): Served {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', ...headers }).flushHeaders()
    response.end(content)
  }
}

/** Returns a page that leads to another address. */
export function redirects(location: string, status = 302): Served {
  return (_request, response) => {
    response.writeHead(status, { location }).end('Elsewhere.')
  }
}
