import { z } from 'zod'
import { usableBy } from '@/lib/domains/rows/group-access'
import { type Tx, withTransaction } from '@/lib/kernel/db'
import { holdLock } from '@/lib/kernel/locks'
import type { Delivery } from './shared/delivery'
import { messageLimits, type Reservation } from './shared/run-messages'

/** A channel that runs of a person may send messages to. */
export type UsableChannel = Awaited<ReturnType<typeof usableChannels>>[number]

/**
 * Returns the channels that runs of a person may send messages to at this moment, by name: those of their groups, for an admin
 * all (SPEC A2a).
 */
export async function usableChannels(client: Tx, person: { userId: string; role: string }) {
  const where = { runMessages: true, ...usableBy(person) }
  const select = {
    id: true,
    name: true,
    kind: true,
    shownAddress: true,
    host: true,
    sender: true,
    recipients: true,
    updatedAt: true,
  }
  return client.channel.findMany({ where, select, orderBy: { name: 'asc' } })
}

/** The call that sends a message. */
type Sending = { runId: string; callId: string }

/**
 * Notes that a call is about to send a message, before it is sent: one call does so once, whatever happens to its process. The
 * limits hold for all processes on this database together, because they count one after the other.
 */
export async function reserveRunMessage(
  client: Tx,
  { runId, callId, ...rest }: Sending & { channelId: string; sentByLabel: string },
): Promise<Reservation> {
  return withTransaction(async (tx) => {
    await holdLock(tx, 'runMessages')
    const rows = await tx.$queryRaw`
      SELECT count(*) FILTER (WHERE "runId" = ${runId}::uuid)::int AS "ofRun",
        count(*) FILTER (WHERE "channelId" = ${rest.channelId}::uuid
          AND "attemptedAt" > clock_timestamp() AT TIME ZONE 'UTC' - interval '1 minute')::int AS "ofChannel",
        count(*) FILTER (WHERE "runId" = ${runId}::uuid AND "callId" = ${callId})::int AS "ofCall"
      FROM run_messages WHERE "runId" = ${runId}::uuid OR "channelId" = ${rest.channelId}::uuid
        AND "attemptedAt" > clock_timestamp() AT TIME ZONE 'UTC' - interval '1 minute'`
    const [counted] = Counted.parse(rows)
    if (counted.ofCall > 0) return 'sent-before'
    if (counted.ofRun >= messageLimits.ofRun) return 'run-full'
    if (counted.ofChannel >= messageLimits.ofChannelAMinute) return 'channel-full'
    await tx.$executeRaw`
      INSERT INTO run_messages ("runId", "callId", "channelId", "sentByLabel", at, attempts, "attemptedAt")
      VALUES (${runId}::uuid, ${callId}, ${rest.channelId}::uuid, ${rest.sentByLabel},
        clock_timestamp() AT TIME ZONE 'UTC', 1, clock_timestamp() AT TIME ZONE 'UTC')`
    return 'reserved'
  }, client)
}

/** Returns whether a run has sent as many messages as it may. */
export async function isRunFull(client: Tx, runId: string): Promise<boolean> {
  return (await client.runMessage.count({ where: { runId } })) >= messageLimits.ofRun
}

const Counted = z.tuple([z.object({ ofRun: z.int(), ofChannel: z.int(), ofCall: z.int() })])

/** Stores what came of the message of a call, after so many attempts. */
export async function recordRunMessage(
  client: Tx,
  { runId, callId }: Sending,
  { attempts, delivery }: { attempts: number; delivery: Delivery },
): Promise<void> {
  await client.$executeRaw`
    UPDATE run_messages SET attempts = ${attempts}, "attemptedAt" = clock_timestamp() AT TIME ZONE 'UTC',
      "deliveredAt" = CASE WHEN ${delivery.isAccepted} THEN clock_timestamp() AT TIME ZONE 'UTC' END,
      "isUncertain" = ${delivery.failure === 'unknown'}, "lastError" = ${delivery.trouble ?? ''}
    WHERE "runId" = ${runId}::uuid AND "callId" = ${callId}`
}
