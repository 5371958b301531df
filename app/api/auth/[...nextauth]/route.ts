import type { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { authOptions } from '@/lib/auth/auth-options'

type Context = { params: Promise<{ nextauth: string[] }> }

// Options are made per request: reading the environment while the build collects routes would fail.
const handle = (request: NextRequest, context: Context): Promise<Response> =>
  NextAuth(request, context, authOptions(request.headers))

export { handle as GET, handle as POST }
