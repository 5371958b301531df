import type { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { authOptions } from '@/lib/auth/auth-options'

type Context = { params: Promise<{ nextauth: string[] }> }

// Options are made per request: reading the environment while the build collects routes would fail.
async function handle(request: NextRequest, context: Context): Promise<Response> {
  const kept: string[] = []
  const options = authOptions(request.headers, (cookie) => kept.push(cookie))
  const response: Response = await NextAuth(request, context, options)
  for (const cookie of kept) response.headers.append('set-cookie', cookie)
  return response
}

export { handle as GET, handle as POST }
