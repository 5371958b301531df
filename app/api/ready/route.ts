import { checkDatabase } from '@/lib/installation/check-database'
import { env } from '@/lib/kernel/env'
import { shutdownSignal } from '@/lib/kernel/shutdown'
import { retryAfterSeconds } from '@/lib/protocol/outage'
import { runningEngine } from '@/lib/runs/engine/engine'

export const dynamic = 'force-dynamic'

/**
 * Returns whether this process can take work: database, migrations, engine (SPEC O3). 503 while it cannot. Also its
 * name, if it was given one.
 */
export async function GET(): Promise<Response> {
  const database = await checkDatabase()
  const engine = engineState()
  const ready = database === 'ok' && engine === 'ok'
  const server = env().TOOLGATE_SERVER_NAME
  const headers = { 'cache-control': 'no-store' }
  return Response.json(
    { status: ready ? 'ready' : 'not-ready', checks: { database, engine }, server },
    ready
      ? { status: 200, headers }
      : { status: 503, headers: { ...headers, 'retry-after': String(retryAfterSeconds[503]) } },
  )
}

function engineState(): 'ok' | 'stopping' | 'not-started' {
  if (shutdownSignal.aborted) return 'stopping'
  return runningEngine() ? 'ok' : 'not-started'
}
