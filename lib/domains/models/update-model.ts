import { type Ctx, requireRole } from '../../kernel/context'
import { type Tx, withTransaction } from '../../kernel/db'
import { parseInput } from '../../kernel/parse-input'
import { changePolicy } from '../../kernel/policy-lock'
import { recordAudit } from '../audit/record-audit'
import { editedSources } from './model-facts'
import { requireModel } from './require-model'
import { CapabilitySources, ChangeModel, UpdateModel } from './schemas'
import { switchModel } from './set-model-enabled'

type Changes = ReturnType<typeof UpdateModel.parse>

/**
 * Changes what is known of a model; runs that are going keep what they began with. What is changed here counts as
 * assumed until it is tested. False when nothing changed. Admins only.
 */
export async function updateModel(ctx: Ctx, modelId: string, input: UpdateModel): Promise<boolean> {
  requireRole(ctx, 'admin')
  const wanted = parseInput(UpdateModel, input)
  return withTransaction(async (tx) => writeFacts(tx, ctx, await requireModel(tx, modelId), wanted))
}

/** Changes what is known of a model and its switch (`setModelEnabled`), both or nothing. Admins only. */
export async function changeModel(ctx: Ctx, modelId: string, input: ChangeModel): Promise<void> {
  requireRole(ctx, 'admin')
  const { enabled, reason, ...wanted } = parseInput(ChangeModel, input)
  if (enabled === undefined) {
    await updateModel(ctx, modelId, wanted)
    return
  }
  await changePolicy(async (tx) => {
    const model = await requireModel(tx, modelId)
    await writeFacts(tx, ctx, model, wanted)
    await switchModel(tx, ctx, model, { enabled, reason })
  })
}

async function writeFacts(
  tx: Tx,
  ctx: Ctx,
  model: Awaited<ReturnType<typeof requireModel>>,
  wanted: Changes,
): Promise<boolean> {
  const changes = changesBetween(model, wanted)
  const names = Object.keys(changes) as (keyof Changes)[]
  if (names.length === 0) return false
  const capabilitySources = editedSources(CapabilitySources.parse(model.capabilitySources), changes)
  await tx.model.update({
    where: { id: model.id },
    data: { ...changes, ...toolCallingOf(changes), capabilitySources },
  })
  const about = { modelId: model.modelId, connection: model.connection.name }
  await recordAudit(tx, ctx, {
    action: 'model.update',
    objectType: 'model',
    objectId: model.id,
    before: { ...about, ...Object.fromEntries(names.map((name) => [name, model[name]])) },
    after: { ...about, ...changes },
  })
  return true
}

function changesBetween(model: { [K in keyof Changes]?: unknown }, wanted: Changes): Changes {
  const entries = Object.entries(wanted).filter(
    ([name, value]) =>
      value !== undefined && JSON.stringify(value) !== JSON.stringify(model[name as keyof Changes]),
  )
  return Object.fromEntries(entries)
}

/** A word of an admin's takes the place of an older test. */
function toolCallingOf({ toolCalling }: Changes) {
  if (toolCalling === undefined) return {}
  const toolCallingSource = toolCalling === 'unconfirmed' ? null : ('assumed' as const)
  return { toolCallingSource, toolCallingTestedAt: null }
}
