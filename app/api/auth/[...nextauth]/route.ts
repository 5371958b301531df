import { authOptions } from '@toolgate/server/auth/auth-options'
import { problem } from '@toolgate/server/doors/http'
import { readBody } from '@toolgate/server/edge/read-body'
import { NextRequest } from 'next/server'
import NextAuth from 'next-auth'

type Context = { params: Promise<{ nextauth: string[] }> }

// Options are made per request: reading the environment while the build collects routes would fail.
async function handle(request: NextRequest, context: Context): Promise<Response> {
  const kept: string[] = []
  const options = authOptions(request.headers, (cookie) => kept.push(cookie))
  const response: Response = await NextAuth(request, context, options)
  for (const cookie of kept) response.headers.append('set-cookie', cookie)
  return response
}

/** Limits the body again, because no guard checked requests that arrived while the server was booting. */
async function handlePost(request: NextRequest, context: Context): Promise<Response> {
  try {
    const { url, headers } = request
    const body = new Uint8Array(await readBody(request))
    return handle(new NextRequest(url, { method: 'POST', headers, body }), context)
  } catch (error) {
    return problem(error, request)
  }
}

export { handle as GET, handlePost as POST }
