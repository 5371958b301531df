import { db } from '@/lib/db'
import { countOf } from '@/lib/protocol/format'
import { type Finding, ok, warn } from './finding'

type Counts = { servers: number; others: number; waiting: number }

/** Who works on runs, and whether runs wait for someone who does. */
export async function checkEngine(): Promise<Finding> {
  const [row] = await db().$queryRaw<Counts[]>`
    WITH alive AS (
      SELECT id, kind FROM instances WHERE "heartbeatAt" > now() AT TIME ZONE 'UTC' - interval '15 seconds')
    SELECT
      (SELECT count(*)::int FROM alive WHERE kind = 'server') AS servers,
      (SELECT count(*)::int FROM alive WHERE kind <> 'server') AS others,
      (SELECT count(*)::int FROM runs WHERE status <> 'ended'
        AND ("instanceId" IS NULL OR "instanceId" NOT IN (SELECT id FROM alive))) AS waiting`
  const { servers, others, waiting } = row ?? { servers: 0, others: 0, waiting: 0 }
  const detail = `${countOf(servers, 'server')} and ${countOf(others, 'command line')} running`
  if (waiting > 0) {
    return warn(
      'Engine',
      `${detail}; ${countOf(waiting, 'run waits', 'runs wait')} for a server`,
      'Start the server: npm start',
    )
  }
  if (servers === 0) return warn('Engine', 'no server is running', 'Start the server: npm start')
  return ok('Engine', detail)
}
