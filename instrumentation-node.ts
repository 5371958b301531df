import { clientAddress, installPeerAddress } from '@toolgate/server/auth/client-address'
import { serveCommands } from '@toolgate/server/doors/cli/serve-commands'
import { guardRequests } from '@toolgate/server/doors/requests/guard-requests'
import { notePageFailure } from '@toolgate/server/edge/guarded-request'
import { env } from '@toolgate/server/kernel/env'
import { logCounted } from '@toolgate/server/kernel/log-counted'
import { boot } from '@toolgate/server/runs/engine/boot'
import type { Instrumentation } from 'next'
import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state'

/** Prepares this server for requests and runs. */
export async function register(): Promise<void> {
  installPeerAddress()
  guardRequests(parseAndValidateFlightRouterState)
  await boot()
  await serveCommands(env().TOOLGATE_DATA_DIR)
}

/**
 * Logs an error that a page did not catch, as one line; equal ones of one sender are counted. Visitors see its digest,
 * which is the same for all of them.
 */
export const onRequestError: Instrumentation.onRequestError = async (error, request, context) => {
  // Before anything is awaited: the framework writes the head of the answer soon.
  notePageFailure(error)
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
