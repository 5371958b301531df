import 'server-only'
import { openConnection } from '@/lib/connections/open-connection'
import { requireConnection } from '@/lib/connections/require-connection'
import { type Ctx, requireRole } from '@/lib/context'
import { db } from '@/lib/db'
import { readModel } from '@/lib/models/read-model'
import type { ModelDetails } from '@/lib/models/schemas'
import { storeToolTest, type ToolTest } from '@/lib/models/store-tool-test'
import { costMicroUsd } from '@/lib/protocol/cost'
import type { ModelEvent } from '@/lib/protocol/model-event'
import { Usage } from '@/lib/protocol/usage'
import { openProvider } from '@/lib/providers/open-provider'
import { connectionTestTurn } from './connection-test-turn'
import { providerOptions } from './provider-options'
import { judgeFailure, judgeToolCall, lastEvent, toolCallingRequest } from './tool-calling-probe'

const longestMs = 90_000

/**
 * Finds out whether a model calls tools, with one real request that offers one tiny tool, and keeps what it showed. It
 * is paid for but is no run: its tokens are in the answer and in the audit, not in usage records or budgets.
 * RateLimitedError when this person tests too often. Admins only.
 */
export async function testToolCalling(
  ctx: Ctx,
  modelId: string,
): Promise<ToolTest & { latencyMs: number }> {
  requireRole(ctx, 'admin')
  connectionTestTurn(ctx.actor.userId, Date.now())
  const model = await readModel(ctx, modelId)
  const row = await requireConnection(model.connectionId)
  const connection = await openConnection(db(), row)
  const provider = openProvider(connection.wire, providerOptions(connection, row.name))
  const request = toolCallingRequest(model.modelId, model.maxOutputTokens)
  const startedAt = performance.now()
  const last = await lastEvent(provider.stream(request, AbortSignal.timeout(longestMs)))
  const latencyMs = Math.round(performance.now() - startedAt)
  const test = testOf(last, model)
  await storeToolTest(ctx, model.id, test)
  return { ...test, latencyMs }
}

function testOf(event: ModelEvent | null, { wire, prices }: ModelDetails): ToolTest {
  if (event?.type === 'finish') {
    const usage = Usage.nullable().catch(null).parse(event.usage)
    const cost = usage && costMicroUsd(usage, prices)
    return { ...judgeToolCall(event), usage, costMicroUsd: cost }
  }
  const nothing = { usage: null, costMicroUsd: null }
  if (event?.type === 'error') return { ...judgeFailure(wire, event.failure), ...nothing }
  return { outcome: 'failed', message: 'The provider sent nothing. Try again.', ...nothing }
}
