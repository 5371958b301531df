import { z } from 'zod'
import { priceColumns } from '@/lib/domains/rows/model-prices'
import { type Change, changed, unchanged, verb } from '@/lib/edge/verb'
import type { Connection, Model } from '@/lib/generated/prisma/client'
import { auditLabel, type Ctx } from '@/lib/kernel/context'
import { isUniqueViolation, type PolicyTx, type Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { hasPrice } from '@/lib/protocol/cost/cost'
import { editedSources, newSources } from './model-facts'
import { modelIdOf, readModelUses } from './reads'
import {
  CapabilitySources,
  ChangeModel,
  CreateModel,
  CreateModels,
  ToolTest,
  type UpdateModel,
} from './schemas'
import { modelReason } from './shape'

const Added = z.object({ id: z.string() })

/** Throws ConflictError when the connection has the model already. */
export const createModel = verb({
  name: 'model.create',
  role: 'admin',
  scope: 'models:write',
  summary: 'Adds a model of a connection.',
  input: CreateModel,
  output: Added,
  transaction: changePolicy,
  run: async ({ tx, ctx }, model) => {
    const connection = await tx.connection.findUnique({ where: { id: model.connectionId } })
    if (!connection) throw new NotFoundError('The connection')
    try {
      return await insertModel(tx, ctx, model, connection.name)
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      throw new ConflictError('This connection already has that model.', 'modelId')
    }
  },
})

/** Adds all models or none, and returns their ids. */
export const createModels = verb({
  name: 'model.create-many',
  role: 'admin',
  scope: 'models:write',
  summary: 'Adds several models of a connection; those it has already are left as they are.',
  input: CreateModels,
  output: z.object({ ids: z.array(z.string()) }),
  audits: ['model.create'],
  transaction: changePolicy,
  run: async ({ tx, ctx }, { connectionId, models }) => {
    const id = parseId(connectionId, 'The connection')
    // Locked, so that two simultaneous requests do not add the same model.
    await tx.$executeRaw`SELECT 1 FROM connections WHERE id = ${id}::uuid FOR UPDATE`
    const connection = await tx.connection.findUnique({
      where: { id },
      include: { models: { select: { modelId: true } } },
    })
    if (!connection) throw new NotFoundError('The connection')
    const known = new Set(connection.models.map(({ modelId }) => modelId))
    const added: Change<{ id: string }>[] = []
    for (const model of models) {
      if (known.has(model.modelId)) continue
      known.add(model.modelId)
      added.push(await insertModel(tx, ctx, { ...model, connectionId: id }, connection.name))
    }
    const changes = added.flatMap((each) => each.changes)
    return changed(
      { ids: added.map(({ output }) => output.id) },
      ...changes.map((change) => ({ ...change, action: 'model.create' as const })),
    )
  },
})

/** Writes a new model, and its first price when one is known. Part of a verb's transaction. */
export async function insertModel(
  tx: PolicyTx,
  ctx: Ctx,
  input: z.output<typeof CreateModel>,
  connectionName: string,
): Promise<Change<{ id: string }>> {
  const { prices, priceSource, reported, ...facts } = input
  const sources = newSources(facts, reported)
  const first = { ...priceColumns(prices), source: priceSource, createdByLabel: auditLabel(ctx) }
  const { id } = await tx.model.create({
    data: {
      ...facts,
      ...sources,
      ...(hasPrice(prices) && { prices: { create: { ...first, validFrom: new Date() } } }),
    },
  })
  const after = { ...facts, ...sources, prices, connection: connectionName }
  return changed({ id }, { subject: id, after })
}

/**
 * Updates a model. Active runs keep the facts they began with. Changed facts count as assumed until they are tested.
 * Switching off removes the model from fallback chains, makes configurations with it as their own model unusable, and
 * ends active runs on it (SPEC G-R); it needs a reason when configurations use the model. Returns false when nothing
 * changed.
 */
export const updateModel = verb({
  name: 'model.update',
  mayBreakCases: true,
  role: 'admin',
  scope: 'models:write',
  summary: 'Changes a model or switches it; fields that are left out stay.',
  reason: 'optional',
  input: ChangeModel,
  output: z.boolean(),
  audits: ['model.update', 'model.enable', 'model.disable'],
  transaction: changePolicy,
  run: async ({ tx, reason }, { id, enabled, ...wanted }) => {
    const model = await requireModel(tx, id)
    const { changes } = await writeFacts(tx, model, wanted)
    const turned = enabled === undefined ? [] : await turn(tx, model, enabled, reason)
    const all = [...changes, ...turned]
    return changed(all.length > 0, ...all)
  },
})

async function turn(tx: PolicyTx, model: LockedModel, enabled: boolean, reason: string) {
  if (model.enabled === enabled) return []
  const users = (await readModelUses(tx, model.id)).map(({ name }) => name)
  if (!enabled && users.length > 0 && reason === '') {
    throw new ValidationError({ reason: modelReason })
  }
  await tx.model.update({ where: { id: model.id }, data: { enabled } })
  const about = { modelId: model.modelId, connection: model.connection.name }
  return [
    {
      action: enabled ? ('model.enable' as const) : ('model.disable' as const),
      subject: model.id,
      before: { ...about, enabled: !enabled },
      after: { ...about, enabled, configurations: users },
    },
  ]
}

type Facts = z.output<typeof UpdateModel>

async function writeFacts(tx: PolicyTx, model: LockedModel, wanted: Facts): Promise<Change<void>> {
  const changes = changesBetween(model, wanted)
  const names = Object.keys(changes) as (keyof Facts)[]
  if (names.length === 0) return unchanged(undefined)
  const capabilitySources = editedSources(CapabilitySources.parse(model.capabilitySources), changes)
  await tx.model.update({
    where: { id: model.id },
    data: { ...changes, ...toolCallingOf(changes), capabilitySources },
  })
  const about = { modelId: model.modelId, connection: model.connection.name }
  return changed(undefined, {
    subject: model.id,
    before: { ...about, ...Object.fromEntries(names.map((name) => [name, model[name]])) },
    after: { ...about, ...changes },
  })
}

function changesBetween(model: { [K in keyof Facts]?: unknown }, wanted: Facts): Facts {
  const entries = Object.entries(wanted).filter(
    ([name, value]) =>
      value !== undefined && JSON.stringify(value) !== JSON.stringify(model[name as keyof Facts]),
  )
  return Object.fromEntries(entries)
}

/** Returns the source of the tool-calling fact. An admin's entry replaces an older test. */
function toolCallingOf({ toolCalling }: Facts) {
  if (toolCalling === undefined) return {}
  const toolCallingSource = toolCalling === 'unconfirmed' ? null : ('assumed' as const)
  return { toolCallingSource, toolCallingTestedAt: null }
}

/**
 * Deletes a model. Runs and usage keep its name. Throws ConflictError, which names them, while configurations have the
 * model.
 */
export const deleteModel = verb({
  name: 'model.delete',
  role: 'admin',
  scope: 'models:write',
  summary: 'Deletes a model that no configuration uses, with its prices.',
  reason: 'optional',
  input: z.object({ id: z.string() }),
  transaction: changePolicy,
  run: ({ tx }, { id }) => removeModel(tx, id),
})

/** Deletes a model. Throws ConflictError while configurations have it. Part of a verb's transaction. */
export async function removeModel(tx: PolicyTx, idOrModelId: string): Promise<Change<void>> {
  // The lock prevents configurations from adding the model during this check.
  const { id, modelId, displayName, connection } = await requireModel(tx, idOrModelId)
  const users = await readModelUses(tx, id)
  if (users.length > 0) {
    const names = users.map((use) => use.name).join(', ')
    throw new ConflictError(`${displayName} is used by ${names}. Change their model first.`)
  }
  await tx.model.delete({ where: { id } })
  const before = { modelId, displayName, connection: connection.name }
  return changed(undefined, { subject: id, before })
}

/** Stores what a test of tool calling showed, and in the audit what it cost. */
export const storeToolTest = verb({
  name: 'model.test-tools',
  role: 'admin',
  scope: 'models:write',
  summary: 'Stores what a test of tool calling showed.',
  input: z.object({ id: z.string(), test: ToolTest }),
  transaction: changePolicy,
  run: async ({ tx }, { id, test }) => {
    const model = await requireModel(tx, id)
    if (test.outcome !== 'failed') {
      await tx.model.update({
        where: { id: model.id },
        data: {
          toolCalling: test.outcome,
          toolCallingSource: 'tested',
          toolCallingTestedAt: new Date(),
        },
      })
    }
    return changed(undefined, {
      subject: model.id,
      before: { toolCalling: model.toolCalling, source: model.toolCallingSource },
      after: { modelId: model.modelId, connection: model.connection.name, ...test },
    })
  },
})

type LockedModel = Model & { connection: Pick<Connection, 'name'> }

/**
 * Returns a model by its id or the provider's, locked until the transaction ends. Throws NotFoundError when it is gone.
 */
export async function requireModel(tx: Tx, idOrModelId: string): Promise<LockedModel> {
  const id = await modelIdOf(tx, idOrModelId)
  await tx.$executeRaw`SELECT 1 FROM models WHERE id = ${id}::uuid FOR UPDATE`
  const include = { connection: { select: { name: true } } }
  const model = await tx.model.findUnique({ where: { id }, include })
  if (!model) throw new NotFoundError('The model')
  return model
}
