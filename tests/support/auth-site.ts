import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { NextApiRequest, NextApiResponse } from 'next'
import NextAuth from 'next-auth'
import { authOptions } from '@/lib/auth/auth-options'

const prefix = '/api/auth/'

/** Starts a real server with only the sign-in addresses of the console. */
export async function startAuthSite(): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    void answer(request, response).catch((error) => {
      response.statusCode = 500
      response.end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  if (!url.pathname.startsWith(prefix)) {
    response.end('a page')
    return
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  request.headers['x-forwarded-proto'] = 'http'
  const parts = {
    query: {
      ...Object.fromEntries(url.searchParams),
      nextauth: url.pathname.slice(prefix.length).split('/'),
    },
    body: Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())),
    cookies: Object.fromEntries(cookiesOf(request)),
  }
  const headers = new Headers({
    'user-agent': String(request.headers['user-agent']),
    cookie: request.headers.cookie ?? '',
  })
  const options = authOptions(headers, (cookie) => response.appendHeader('set-cookie', cookie))
  await NextAuth(asApiRequest(request, parts), asApiResponse(response), options)
}

function cookiesOf(request: IncomingMessage): [string, string][] {
  const pairs = (request.headers.cookie ?? '').split('; ').filter(Boolean)
  return pairs.map((pair) => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))]
  })
}

// Exactly the parts of the framework's older request that next-auth uses.
function asApiRequest(
  request: IncomingMessage,
  parts: Pick<NextApiRequest, 'query' | 'body' | 'cookies'>,
): NextApiRequest {
  return Object.assign(request, parts) as NextApiRequest
}

// The same for the response.
function asApiResponse(response: ServerResponse): NextApiResponse {
  const more = {
    status: (code: number) => {
      response.statusCode = code
      return response
    },
    send: (body: unknown) => response.end(typeof body === 'string' ? body : JSON.stringify(body)),
    json: (body: unknown) => response.end(JSON.stringify(body)),
  }
  return Object.assign(response, more) as unknown as NextApiResponse
}
