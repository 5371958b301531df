import { authenticateRequest, requireScope } from '@toolgate/server/auth/authenticate-request'
import { readLastBackup } from '@toolgate/server/domains/backups/last-backup'
import { checkDatabase } from '@toolgate/server/installation/check-database'
import { requireRole } from '@toolgate/server/kernel/context'
import { env } from '@toolgate/server/kernel/env'
import { AppError } from '@toolgate/server/kernel/errors'
import { shutdownSignal } from '@toolgate/server/kernel/shutdown'
import { runningEngine } from '@toolgate/server/runs/engine/engine'
import { retryAfterSeconds } from '@/lib/protocol/outage'

export const dynamic = 'force-dynamic'

/**
 * Returns whether this process can take work: database, migrations, engine (SPEC O3). 503 while it cannot. Also its
 * name, if it was given one, and to an admin's API key with the scope settings:read how old the last backup is.
 */
export async function GET(request?: Request): Promise<Response> {
  const database = await checkDatabase()
  const engine = engineState()
  const ready = database === 'ok' && engine === 'ok'
  const server = env().TOOLGATE_SERVER_NAME
  const backup = database === 'ok' ? await backupDetail(request) : undefined
  const headers = { 'cache-control': 'no-store' }
  return Response.json(
    { status: ready ? 'ready' : 'not-ready', checks: { database, engine }, server, backup },
    ready
      ? { status: 200, headers }
      : { status: 503, headers: { ...headers, 'retry-after': String(retryAfterSeconds[503]) } },
  )
}

function engineState(): 'ok' | 'stopping' | 'not-started' {
  if (shutdownSignal.aborted) return 'stopping'
  return runningEngine() ? 'ok' : 'not-started'
}

/** Returns nothing to callers without an API key. A key that may not see it gets the reason, and the same readiness as others. */
async function backupDetail(request?: Request) {
  if (!request?.headers.has('authorization')) return undefined
  try {
    const identity = await authenticateRequest(request)
    requireScope(identity, 'settings:read')
    requireRole(identity.ctx, 'admin')
    const { at, isScheduled, overdueDays } = await readLastBackup()
    const ageHours = at && Math.floor((Date.now() - at.getTime()) / 3_600_000)
    return { lastAt: at, ageHours, isScheduled, isOverdue: overdueDays > 0 }
  } catch (error) {
    if (error instanceof AppError) return { refused: error.message }
    // A balancer must not lose a server over a detail.
    return { refused: 'It cannot be read now. Try again in a moment.' }
  }
}
