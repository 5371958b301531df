import 'server-only'
import { z } from 'zod'
import type { Database, Tx } from '../../kernel/db'
import { env } from '../../kernel/env'
import { log } from '../../kernel/log'
import type { ChannelMessage, Delivery, SendToChannel } from '../../protocol/delivery'

const atOnce = 20
/** So often a message is tried; the waits double, beginning with this one. */
const maxAttempts = 10
const firstPauseSeconds = 30

/**
 * Returns the function that an engine calls at each heartbeat: it begins to send what is due, and waits for nothing, because
 * a receiver may be slow. What failed is sent again at a later heartbeat.
 */
export function openApprovalNotices({ client }: Database, send: SendToChannel): () => void {
  let delivering = false
  return () => {
    if (delivering) return
    delivering = true
    deliverNotices(client, send)
      .catch((error) =>
        log.warn({ source: 'approvals', error: String(error) }, 'Cannot tell about waiting calls'),
      )
      .finally(() => {
        delivering = false
      })
  }
}

/**
 * Tells every channel for approvals about the calls that wait, and once more before they expire. A process claims a message by
 * postponing its next attempt, so that no two send it at once. When a process dies before sending, the next attempt sends it.
 */
export async function deliverNotices(tx: Tx, send: SendToChannel): Promise<void> {
  const channels = await tx.channel.findMany({ where: { enabled: true, approvalAlerts: true } })
  await Promise.all(channels.map(({ id }) => deliverTo(tx, id, send)))
}

async function deliverTo(tx: Tx, channelId: string, send: SendToChannel): Promise<void> {
  for (let count = 0; count < atOnce; count++) {
    const notice = await claimNotice(tx, channelId)
    if (!notice) return
    await record(tx, { ...notice, channelId }, await send(channelId, messageOf(notice)))
  }
}

const Notice = z.object({
  approvalId: z.string(),
  kind: z.enum(['waiting', 'expiring']),
  runId: z.string(),
  toolName: z.string(),
  email: z.string(),
  expiresAt: z.date(),
})
type Notice = z.output<typeof Notice>

/** Returns the message about a call. It has none of its arguments. */
function messageOf({
  kind,
  approvalId,
  runId,
  toolName,
  email,
  expiresAt,
}: Notice): ChannelMessage {
  const url = new URL(`/runs/${runId}`, env().TOOLGATE_URL).href
  const until = expiresAt.toISOString()
  const title =
    kind === 'waiting'
      ? `A call of ${toolName} waits for approval`
      : `A call of ${toolName} expires soon`
  return {
    title,
    text: `Run ${runId} of ${email} waits until ${until}. After that, the call is denied. ${url}`,
    data: {
      type: kind === 'waiting' ? 'approval-waiting' : 'approval-expiring',
      ...{ approvalId, runId, toolName, startedBy: email, expiresAt: until, url },
    },
  }
}

/**
 * Claims the next message that is due: about a call that waits, or that expires within a tenth of its lifetime, at least 5
 * minutes. A call with less than 10 minutes gets the first one alone.
 */
async function claimNotice(tx: Tx, channelId: string): Promise<Notice | null> {
  // Another process that claims the same message waits for the insertion, and then finds it not due.
  const rows = await tx.$queryRaw<unknown[]>`
    WITH wanted AS (
      SELECT a.id, k.kind, a."requestedAt"
      FROM approvals a JOIN runs r ON r.id = a."runId"
      CROSS JOIN (VALUES ('waiting'::"ApprovalNoticeKind"), ('expiring')) AS k(kind)
      WHERE a.status = 'pending' AND a."expiresAt" > now() AT TIME ZONE 'UTC'
        AND r.status <> 'ended' AND r."cancelledBy" IS NULL
        AND (k.kind = 'waiting' OR a."expiresAt" - a."requestedAt" >= interval '10 minutes'
          AND now() AT TIME ZONE 'UTC' >= a."expiresAt"
            - greatest((a."expiresAt" - a."requestedAt") / 10, interval '5 minutes'))),
    due AS (
      SELECT w.id, w.kind FROM wanted w
      LEFT JOIN approval_notices n ON n."approvalId" = w.id AND n.kind = w.kind
        AND n."channelId" = ${channelId}::uuid
      WHERE n."approvalId" IS NULL OR n."deliveredAt" IS NULL AND n.attempts < ${maxAttempts}
        AND n."nextAttemptAt" <= now() AT TIME ZONE 'UTC'
      ORDER BY w."requestedAt", w.kind LIMIT 1),
    claimed AS (
      INSERT INTO approval_notices AS n ("approvalId", "channelId", kind, attempts, "nextAttemptAt")
      SELECT id, ${channelId}::uuid, kind, 1,
        now() AT TIME ZONE 'UTC' + make_interval(secs => ${firstPauseSeconds}) FROM due
      ON CONFLICT ("approvalId", "channelId", kind) DO UPDATE SET attempts = n.attempts + 1,
        "nextAttemptAt" = now() AT TIME ZONE 'UTC'
          + make_interval(secs => ${firstPauseSeconds} * 2 ^ n.attempts)
      WHERE n."deliveredAt" IS NULL AND n."nextAttemptAt" <= now() AT TIME ZONE 'UTC'
      RETURNING n."approvalId", n.kind)
    SELECT c."approvalId", c.kind::text AS kind, a."runId", a."toolName", a."expiresAt", u.email
    FROM claimed c JOIN approvals a ON a.id = c."approvalId"
    JOIN runs r ON r.id = a."runId" JOIN users u ON u.id = r."userId"`
  return z.array(Notice).parse(rows)[0] ?? null
}

type Place = Pick<Notice, 'approvalId' | 'kind'> & { channelId: string }

/** Stores what came of an attempt. A receiver that asks for a longer wait gets it. */
async function record(
  tx: Tx,
  { approvalId, kind, channelId }: Place,
  { isAccepted, trouble, retryAfterSeconds }: Delivery,
): Promise<void> {
  if (trouble !== null) {
    log.warn(
      { source: 'approvals', channelId, trouble },
      'A message about a waiting call was refused',
    )
  }
  await tx.$executeRaw`
    UPDATE approval_notices SET
      "deliveredAt" = CASE WHEN ${isAccepted} THEN now() AT TIME ZONE 'UTC' END,
      "nextAttemptAt" = greatest("nextAttemptAt",
        now() AT TIME ZONE 'UTC' + make_interval(secs => ${retryAfterSeconds ?? 0}))
    WHERE "approvalId" = ${approvalId}::uuid AND kind = ${kind}::"ApprovalNoticeKind"
      AND "channelId" = ${channelId}::uuid AND "deliveredAt" IS NULL`
}
