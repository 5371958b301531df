import 'server-only'
import { z } from 'zod'
import { openConnection } from '@/lib/domains/connections/open-connection'
import { requireConnection } from '@/lib/domains/connections/reads'
import { readModel } from '@/lib/domains/models/reads'
import { type ModelDetails, ToolTest } from '@/lib/domains/models/schemas'
import { storeToolTest } from '@/lib/domains/models/verbs'
import { addressHash, addressOf } from '@/lib/domains/rows/address-hash'
import { providerOf } from '@/lib/domains/rows/column-names'
import { freezeSentence, readFreeze } from '@/lib/domains/settings/read-freeze'
import { verb } from '@/lib/edge/verb'
import { openProvider } from '@/lib/engines/providers/open-provider'
import type { Connection } from '@/lib/generated/prisma/client'
import { db } from '@/lib/kernel/db'
import { ForbiddenError } from '@/lib/kernel/errors'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { RunState } from '@/lib/protocol/run/fold-run'
import { providerOptions } from '@/lib/runs/work/provider-options'
import { connectionTestTurn } from './connection-test-turn'
import { judgeFailure, judgeToolCall, type ProbeVerdict } from './tool-calling-probe'
import { toolTestRun } from './tool-test-run'

/**
 * The request is a run of its own in usage and budgets, and what it showed is stored. Throws RateLimitedError when this
 * person tests too often, and ForbiddenError while the site is frozen.
 */
export const testToolCalling = verb({
  name: 'model.test-tool-calling',
  role: 'admin',
  scope: 'models:write',
  summary: 'Tests with one real request, which offers one small tool, whether a model calls tools.',
  input: z.object({ id: z.string() }),
  output: ToolTest.extend({ latencyMs: z.number() }),
  transaction: false,
  run: async ({ ctx, actor }, { id }) => {
    connectionTestTurn(actor.userId, Date.now())
    const freeze = await readFreeze(db())
    if (freeze)
      throw new ForbiddenError(
        `${freezeSentence(freeze)} No model can be tested until an admin unfreezes it.`,
      )
    const model = await readModel(ctx, { id })
    const row = await requireConnection(model.connectionId)
    const connection = await openConnection(db(), row)
    const provider = openProvider(connection.wire, providerOptions(connection, row.name))
    const { runId, state } = await toolTestRun({ ctx, target: targetOf(model, row), provider })
    const response = state.rounds[0]?.response ?? null
    const test: ToolTest = {
      ...verdictOf(state, model),
      usage: response?.usage ?? null,
      costMicroUsd: response?.costMicroUsd ?? null,
      runId,
    }
    await storeToolTest(ctx, { id: model.id, test })
    return { ...test, latencyMs: response?.latencyMs ?? state.end?.failedCall?.latencyMs ?? 0 }
  },
})

function verdictOf({ rounds: [round], end }: RunState, { wire }: ModelDetails): ProbeVerdict {
  if (end?.failure) return judgeFailure(wire, end.failure)
  const { finishReason } = round?.response ?? {}
  if (round && finishReason) return judgeToolCall({ finishReason, toolCalls: round.calls })
  return { outcome: 'failed', message: end?.message ?? 'The provider sent no answer. Try again.' }
}

function targetOf(model: ModelDetails, connection: Connection): ModelTarget {
  const { contextTokens, maxOutputTokens, toolCalling, prices } = model
  const { reasoning, reasoningEfforts, unsupportedParameters } = model
  return {
    ...providerOf(connection),
    contextTokens,
    maxOutputTokens,
    toolCalling,
    reasoning,
    reasoningEfforts,
    unsupportedParameters,
    prices,
    modelRecordId: model.id,
    modelId: model.modelId,
    connectionId: connection.id,
    addressHash: addressHash(addressOf(connection)),
    maxTries: 1,
  }
}
