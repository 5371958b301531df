import 'server-only'
import { z } from 'zod'
import { type WebAccess, type WebReservation, webBudget } from '@/lib/engines/tools/tool-resources'
import type { Tx } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'

/** Returns which hosts tools may read, and what a run has read of them, held in the database for all processes. */
export function webAccess(tx: Tx): WebAccess {
  return {
    findHost: async (origins) => {
      const rows = await tx.host.findMany({
        where: { name: { in: [...origins] } },
        select: { name: true, enabled: true, privateAddressAllowed: true },
      })
      const first = origins.flatMap((origin) => rows.find(({ name }) => name === origin) ?? [])[0]
      return first?.enabled ? { privateAddressAllowed: first.privateAddressAllowed } : null
    },
    reserve: (use) => reserve(tx, use).catch(failed),
    settle: (use) => settle(tx, use).catch((error) => void failed(error)),
  }
}

type Use = Parameters<WebAccess['reserve']>[0]

/**
 * Reserves in one statement, so that calls of several processes never get more than there is. The members of a panel share what
 * one run has.
 */
async function reserve(tx: Tx, { runId: of, host, bytes }: Use): Promise<WebReservation> {
  const runId = await countingRun(tx, of)
  const { bytes: most, hosts: mostHosts } = webBudget
  const rows = await tx.$queryRaw`
    INSERT INTO run_web_uses AS u ("runId", bytes, granted, hosts)
    VALUES (${runId}::uuid, ${bytes}::bigint, ${bytes}::bigint, ARRAY[${host}])
    ON CONFLICT ("runId") DO UPDATE SET
      bytes = u.bytes + least(${bytes}::bigint, ${most}::bigint - u.bytes),
      granted = least(${bytes}::bigint, ${most}::bigint - u.bytes),
      hosts = CASE WHEN ${host} = ANY (u.hosts) THEN u.hosts ELSE u.hosts || ${host}::text END
    WHERE (${bytes}::bigint = 0 OR u.bytes < ${most}::bigint)
      AND (${host} = ANY (u.hosts) OR cardinality(u.hosts) < ${mostHosts}::int)
    RETURNING granted::int AS bytes`
  const [reserved] = Granted.parse(rows)
  if (reserved) return { type: 'reserved', ...reserved }
  const now = await tx.runWebUse.findUnique({ where: { runId }, select: { hosts: true } })
  const isOfHosts = now !== null && !now.hosts.includes(host) && now.hosts.length >= mostHosts
  return { type: 'refused', why: isOfHosts ? 'hosts' : 'bytes' }
}

const Granted = z.array(z.object({ bytes: z.int() })).max(1)

/** Returns the run under which is counted what this run reads: the one that started it, the first of its panel, or itself. */
async function countingRun(tx: Tx, runId: string): Promise<string> {
  const [first] = await tx.$queryRaw<{ id: string }[]>`
    SELECT m.id FROM runs r JOIN runs m ON m."panelId" = r."panelId" OR m.id = r."parentRunId"
    WHERE r.id = ${runId}::uuid ORDER BY m.id LIMIT 1`
  return first?.id ?? runId
}

async function settle(tx: Tx, { runId: of, reserved, used }: Parameters<WebAccess['settle']>[0]) {
  const left = Math.max(0, reserved - used)
  if (left === 0) return
  const runId = await countingRun(tx, of)
  await tx.runWebUse.updateMany({ where: { runId }, data: { bytes: { decrement: left } } })
}

/** Logs what could not be noted. Nothing is read then, and what could not be given back stays taken. */
function failed(error: unknown): WebReservation {
  log.warn({ source: 'web', err: error }, 'What a run reads of the web could not be noted')
  return { type: 'refused', why: 'unknown' }
}
