import { type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import type { Usage } from '../../protocol/usage'
import { recordAudit } from '../audit/record-audit'
import { requireModel } from './require-model'

/** What one real call with one tool showed. `failed` says nothing about the model: the provider gave no answer. */
export type ToolTest = {
  outcome: 'confirmed' | 'unsupported' | 'failed'
  message: string
  usage: Usage | null
  costMicroUsd: number | null
  /** Where the request is kept. */
  runId: string
}

/** Keeps what a test of tool calling showed, and in the audit what it took. Admins only. */
export async function storeToolTest(ctx: Ctx, modelId: string, test: ToolTest): Promise<void> {
  requireRole(ctx, 'admin')
  await withTransaction(async (tx) => {
    const model = await requireModel(tx, modelId)
    const { outcome } = test
    if (outcome !== 'failed') {
      await tx.model.update({
        where: { id: model.id },
        data: {
          toolCalling: outcome,
          toolCallingSource: 'tested',
          toolCallingTestedAt: new Date(),
        },
      })
    }
    await recordAudit(tx, ctx, {
      action: 'model.test-tools',
      objectType: 'model',
      objectId: model.id,
      before: { toolCalling: model.toolCalling, source: model.toolCallingSource },
      after: { modelId: model.modelId, connection: model.connection.name, ...test },
    })
  })
}
