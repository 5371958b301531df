import type { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { authOptions } from '@/lib/auth/auth-options'
import { browserCookie } from '@/lib/auth/known-browser'

type Context = { params: Promise<{ nextauth: string[] }> }

// Options are made per request: reading the environment while the build collects routes would fail.
async function handle(request: NextRequest, context: Context): Promise<Response> {
  let account: string | null = null
  const options = authOptions(request.headers, (email) => {
    account = email
  })
  const response: Response = await NextAuth(request, context, options)
  if (account !== null) response.headers.append('set-cookie', browserCookie(account))
  return response
}

export { handle as GET, handle as POST }
