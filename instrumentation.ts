import type { Instrumentation } from 'next'
import { notePageFailure } from './lib/edge/guarded-request'

export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { installPeerAddress } = await import('./lib/auth/client-address')
  installPeerAddress()
  const { guardRequests } = await import('./lib/doors/requests/guard-requests')
  const { parseAndValidateFlightRouterState } = await import(
    'next/dist/server/app-render/parse-and-validate-flight-router-state'
  )
  guardRequests(parseAndValidateFlightRouterState)
  const { env } = await import('./lib/kernel/env')
  const { boot } = await import('./lib/runs/engine/boot')
  await boot()
  const { serveCommands } = await import('./lib/doors/cli/serve-commands')
  await serveCommands(env().TOOLGATE_DATA_DIR)
}

/**
 * Logs an error that a page did not catch, as one line; equal ones of one sender are counted. Visitors see its digest,
 * which is the same for all of them.
 */
export const onRequestError: Instrumentation.onRequestError = async (error, request, context) => {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  // Before anything is awaited: the framework writes the head of the answer soon.
  notePageFailure(error)
  const { logCounted } = await import('./lib/kernel/log-counted')
  const { clientAddress } = await import('./lib/auth/client-address')
  const digest =
    typeof error === 'object' && error && 'digest' in error ? String(error.digest) : undefined
  const { routePath, routeType } = context
  const ipAddress = clientAddress(new Headers(textHeaders(request.headers)))
  const { message } = error instanceof Error ? error : { message: String(error) }
  logCounted(
    'error',
    [ipAddress, routePath, digest ?? message],
    {
      source: 'page',
      incidentId: digest,
      method: request.method,
      routePath,
      routeType,
      ipAddress,
      err: error,
    },
    'A page or route failed',
  )
}

function textHeaders(headers: NodeJS.Dict<string | string[]>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
}
