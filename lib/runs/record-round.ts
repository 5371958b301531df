import 'server-only'
import type { Tx } from '@/lib/db'
import {
  deltaTypes,
  type RunEvent,
  type RunEventOf,
  type RunSnapshot,
} from '@/lib/protocol/run-event'

export type RunFacts = { runId: string; userId: string; snapshot: RunSnapshot; createdAt: number }

/**
 * Keeps what lists and usage need in step with the journal, in the transaction that writes the events: totals on the
 * run's row, one usage record per model response, and the removal of deltas their message replaces (SPEC J2, M5).
 */
export async function recordRound(tx: Tx, facts: RunFacts, events: RunEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type === 'round-start') await startRun(tx, facts.runId)
    if (event.type === 'message') await addResponse(tx, facts, event.data, event.seq)
    if (event.type === 'run-end') await endRun(tx, facts, event.data, event.at)
  }
  const last = events.at(-1)
  if (last) await tx.run.update({ where: { id: facts.runId }, data: { lastSeq: last.seq } })
}

/** True when a batch holds something `recordRound` acts on. */
export function changesRun(events: RunEvent[]): boolean {
  return events.some(
    (event) => event.type === 'round-start' || event.type === 'message' || event.type === 'run-end',
  )
}

async function startRun(tx: Tx, runId: string): Promise<void> {
  await tx.run.updateMany({ where: { id: runId, status: 'queued' }, data: { status: 'running' } })
}

async function addResponse(
  tx: Tx,
  facts: RunFacts,
  message: RunEventOf<'message'>['data'],
  seq: number,
): Promise<void> {
  const { usage, costMicroUsd } = message
  const target = facts.snapshot.targets[message.target]
  await tx.$executeRawUnsafe(
    `UPDATE runs SET rounds = greatest(rounds, $2::int), calls = calls + $3::int, "inputTokens" = "inputTokens" + $4::int,
       "outputTokens" = "outputTokens" + $5::int, "costMicroUsd" = "costMicroUsd" + $6::bigint WHERE id = $1::uuid`,
    facts.runId,
    message.round,
    message.toolCalls.length,
    usage.inputTokens,
    usage.outputTokens,
    costMicroUsd,
  )
  await tx.usageRecord.create({
    data: {
      runId: facts.runId,
      round: message.round,
      userId: facts.userId,
      configurationId: facts.snapshot.configurationId,
      connectionId: target?.connectionId ?? null,
      modelRecordId: target?.modelRecordId ?? null,
      modelId: target?.modelId ?? 'unknown',
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      cachedInputTokens: usage.cachedInputTokens,
      cacheWriteTokens: usage.cacheWriteTokens,
      reasoningTokens: usage.reasoningTokens,
      estimated: usage.estimated,
      costMicroUsd,
      latencyMs: Math.round(message.latencyMs),
      retries: message.retries,
      fallback: message.target > 0,
    },
  })
  await tx.runEventRow.deleteMany({
    where: { runId: facts.runId, type: { in: [...deltaTypes] }, seq: { lt: seq } },
  })
}

async function endRun(
  tx: Tx,
  facts: RunFacts,
  end: RunEventOf<'run-end'>['data'],
  at: number,
): Promise<void> {
  await tx.runEventRow.deleteMany({ where: { runId: facts.runId, type: { in: [...deltaTypes] } } })
  await tx.run.update({
    where: { id: facts.runId },
    data: {
      status: 'ended',
      endReason: end.reason,
      truncated: end.truncated,
      endedAt: new Date(at),
      durationMs: Math.max(0, at - facts.createdAt),
    },
  })
}
