import 'server-only'
import { readRunLimits } from '@/lib/domains/settings/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { mostCounted, type Waiting, type WaitReason, waitReason } from '@/lib/protocol/run/waiting'
import { requireRun } from '@/lib/runs/require-run'

type Row = {
  id: string
  userId: string
  for: WaitReason
  email: string
  isAdmin: boolean
  before: number
  active: number
  servers: number
  room: number
}

/** Returns where a run stands that waits for a place; null = it does not wait. Throws NotFoundError as `requireRun` does. */
export async function readWaiting(ctx: Ctx, runId: string): Promise<Waiting | null> {
  const run = await requireRun(ctx, runId)
  return (await waitingOf(ctx, [run])).get(run.id) ?? null
}

type Asked = { id: string; waitsFor: string | null }

/** Returns where those of these runs stand that wait for a place. The caller must be allowed to see them. */
export async function waitingOf(ctx: Ctx, runs: readonly Asked[]): Promise<Map<string, Waiting>> {
  const ids = runs.flatMap(({ id, waitsFor }) => (waitsFor === null ? [] : [id]))
  if (ids.length === 0) return new Map()
  const [rows, { siteRuns, personRuns, configurationRuns }] = await Promise.all([
    db().$queryRawUnsafe<Row[]>(statement, ids),
    readRunLimits(),
  ])
  const limitOf = ({ for: reason, isAdmin }: Row) =>
    ({
      person: isAdmin ? siteRuns : Math.min(siteRuns, personRuns),
      configuration: Math.min(siteRuns, configurationRuns),
      site: siteRuns,
      server: 0,
    })[reason]
  return new Map(
    rows.map((row) => {
      const owner = row.userId === ctx.actor.userId ? null : row.email
      const reason = waitReason({ ...row, owner, limit: limitOf(row) })
      return [row.id, { for: row.for, place: row.before + 1, reason }]
    }),
  )
}

/**
 * SQL for the runs that wait for the same place, and the active ones that hold it, by the reason. Each is found by an
 * index of its own.
 */
const same: Record<Exclude<WaitReason, 'server'>, string> = {
  person: `o."userId" = w."userId" AND`,
  configuration: `o."configurationId" = w."configurationId" AND`,
  site: '',
}

const before = (reason: WaitReason, of: string) => `(
    SELECT count(*)::int FROM (
      SELECT 1 FROM runs o
      WHERE ${of} o."waitsFor" = '${reason}' AND o."cancelledBy" IS NULL
        AND (o.priority, o."createdAt", o.id) < (w.priority, w."createdAt", w.id)
      LIMIT ${mostCounted}) counted)`

const active = (reason: keyof typeof same) =>
  `(SELECT count(*)::int FROM runs o WHERE ${same[reason]} o."${reason}Place" IS NOT NULL)`

/** A server that was silent for longer begins nothing. */
const heardWithin = '6 s'

const statement = `
SELECT w.id::text, w."userId"::text, w."waitsFor" AS "for", u.email, u.role = 'admin' AS "isAdmin",
  CASE w."waitsFor" WHEN 'person' THEN ${before('person', same.person)}
    WHEN 'configuration' THEN ${before('configuration', same.configuration)}
    WHEN 'site' THEN ${before('site', '')} ELSE ${before('server', '')} END AS before,
  CASE w."waitsFor" WHEN 'person' THEN ${active('person')} WHEN 'configuration' THEN ${active('configuration')}
    WHEN 'site' THEN ${active('site')} ELSE 0 END AS active,
  heard.servers, heard.room
FROM runs w JOIN users u ON u.id = w."userId" CROSS JOIN (
  SELECT count(*)::int AS servers, coalesce(sum(room), 0)::int AS room FROM instances
  WHERE kind = 'server' AND "heartbeatAt" > now() AT TIME ZONE 'UTC' - interval '${heardWithin}') heard
WHERE w.id = ANY($1::uuid[]) AND w."waitsFor" IS NOT NULL`
