import { z } from 'zod'
import type { ChannelMessage } from '@/lib/domains/channels/shared/delivery'
import { deliverMessages } from '@/lib/domains/rows/deliver-messages'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'

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
      approvalId,
      runId,
      toolName,
      startedBy: email,
      expiresAt: until,
      url,
    },
  }
}

/**
 * Tells every channel for approvals about each call that waits, and once more when it expires within a tenth of its
 * lifetime, at least 5 minutes. A call with less than 10 minutes gets the first message alone.
 */
export const deliverNotices = deliverMessages({
  channels: { approvalAlerts: true },
  table: 'approval_notices',
  keys: [
    { column: 'approvalId', type: 'uuid' },
    { column: 'kind', type: '"ApprovalNoticeKind"' },
  ],
  wanted: Prisma.sql`
    SELECT a.id AS "approvalId", k.kind, a."requestedAt", a."runId", a."toolName", a."expiresAt",
      u.email
    FROM approvals a JOIN runs r ON r.id = a."runId" JOIN users u ON u.id = r."userId"
    CROSS JOIN (VALUES ('waiting'::"ApprovalNoticeKind"), ('expiring')) AS k(kind)
    WHERE a.status = 'pending' AND a."expiresAt" > now() AT TIME ZONE 'UTC'
      AND r.status <> 'ended' AND r."cancelledBy" IS NULL
      AND (k.kind = 'waiting' OR a."expiresAt" - a."requestedAt" >= interval '10 minutes'
        AND now() AT TIME ZONE 'UTC' >= a."expiresAt"
          - greatest((a."expiresAt" - a."requestedAt") / 10, interval '5 minutes'))`,
  arose: 'requestedAt',
  order: Prisma.sql`w."requestedAt", w.kind`,
  row: Notice,
  messageOf,
})

/** Returns the waiting calls among these that no channel took a message about, though it was tried. */
export async function readUnnotified(
  client: Tx,
  approvalIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const tried = await client.approvalNotice.groupBy({
    by: ['approvalId'],
    where: { approvalId: { in: [...approvalIds] } },
    _count: { deliveredAt: true },
    _min: { lastError: true },
  })
  // A message that is on its way for the first time has no error yet.
  return new Set(
    tried.flatMap(({ approvalId, _count, _min }) =>
      _count.deliveredAt === 0 && _min.lastError ? approvalId : [],
    ),
  )
}
