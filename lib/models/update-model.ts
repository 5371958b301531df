import { recordAudit } from '../audit/record-audit'
import { type Ctx, requireRole } from '../context'
import { withTransaction } from '../db'
import { parseInput } from '../parse-input'
import { editedSources } from './model-facts'
import { requireModel } from './require-model'
import { CapabilitySources, UpdateModel } from './schemas'

type Changes = ReturnType<typeof UpdateModel.parse>

/**
 * Changes what is known of a model; runs that are going keep what they began with. What is changed here counts as
 * assumed until it is tested. False when nothing changed. Admins only.
 */
export async function updateModel(ctx: Ctx, modelId: string, input: UpdateModel): Promise<boolean> {
  requireRole(ctx, 'admin')
  const wanted = parseInput(UpdateModel, input)
  return withTransaction(async (tx) => {
    const model = await requireModel(tx, modelId)
    const changes = changesBetween(model, wanted)
    const names = Object.keys(changes) as (keyof Changes)[]
    if (names.length === 0) return false
    const capabilitySources = editedSources(
      CapabilitySources.parse(model.capabilitySources),
      changes,
    )
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
  })
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
