import { providerOf, wireOf } from '@/lib/domains/rows/column-names'
import { Prisma } from '@/lib/generated/prisma/client'
import { isUniqueViolation, type PolicyTx, type Tx } from '@/lib/kernel/db'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { keptRaise } from '@/lib/protocol/model/model-target'
import { fieldsSetByUs } from '@/lib/protocol/model/own-body-fields'
import type { ConfigurationForm } from '@/lib/protocol/parameters/configuration-form'
import type { JsonObject } from '@/lib/protocol/parameters/parameter-values'
import {
  defaultParameters,
  parametersIn,
  storedParameters,
} from '@/lib/protocol/parameters/parameters'
import {
  type AllowedNames,
  changedNames,
  hasNeedlessNames,
  needlessNames,
} from '@/lib/protocol/tool-access'
import { type ConfigurationChanges, columnsOf } from './schemas'
import { diffConfigurations, differingParts } from './shared/configuration-differences'

/** Does `work`. Throws ConflictError for an identifier that another configuration has. */
export async function withOwnIdentifier<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isUniqueViolation(error)) {
      throw new ConflictError('Another configuration has this identifier.', 'identifier')
    }
    throw error
  }
}

/** Writes the changed fields of a configuration; omitted fields stay. Part of a verb's transaction. */
export async function writeConfiguration(
  tx: PolicyTx,
  id: string,
  before: ConfigurationForm,
  wanted: ConfigurationChanges,
): Promise<void> {
  const { modelId, fallbackModelIds, groupIds } = wanted
  if (modelId !== undefined || fallbackModelIds !== undefined) {
    await writeChain(tx, id, before, wanted)
  }
  await checkExtraBody(tx, before, wanted)
  if (groupIds !== undefined) await writeGroups(tx, id, groupIds)
  await tx.configuration.update({
    where: { id },
    data: {
      ...columnsOf(wanted),
      parameters: storedParameters({
        ...defaultParameters,
        ...parametersIn(before),
        ...parametersIn(wanted),
      }),
      ...namesToStore(before, wanted),
    },
  })
}

/**
 * Returns the columns of the tools that a change allows; none when it says nothing of them. Throws ValidationError for single
 * tools beside every group.
 */
export function namesToStore(
  before: AllowedNames,
  change: Pick<ConfigurationChanges, keyof AllowedNames>,
) {
  if (change.allowedToolGroups === undefined && change.allowedTools === undefined) return {}
  const after = changedNames(before, change)
  if (hasNeedlessNames(after)) throw new ValidationError({ allowedTools: needlessNames })
  return storedNames(after)
}

/** Returns the columns of these names. */
export function storedNames({ allowedToolGroups, allowedTools }: AllowedNames) {
  return { allowedToolGroups: allowedToolGroups ?? Prisma.DbNull, allowedTools }
}

async function checkExtraBody(
  tx: Tx,
  before: ConfigurationForm,
  { modelId, fallbackModelIds, options }: ConfigurationChanges,
): Promise<void> {
  const isAsBefore = modelId === undefined && fallbackModelIds === undefined
  if (isAsBefore && options?.extraBody === undefined) return
  const fallbackIds = fallbackModelIds ?? before.fallbacks.map(({ id }) => id)
  const extraBody = options?.extraBody === undefined ? before.options.extraBody : options.extraBody
  await requireExtraBody(tx, [modelId ?? before.model.id, ...fallbackIds], extraBody)
}

async function writeChain(
  tx: PolicyTx,
  configurationId: string,
  before: ConfigurationForm,
  wanted: Pick<ConfigurationChanges, 'modelId' | 'fallbackModelIds'>,
): Promise<void> {
  const old = before.fallbacks.map(({ id }) => id)
  const { modelId = before.model.id, fallbackModelIds: fallbackIds = old } = wanted
  const known = [before.model.id, ...old]
  await requireChain(tx, { modelId, fallbackIds, known })
  const raisedDataClass = keptRaise(before.raisedDataClass, {
    before: await providersOf(tx, known),
    after: await providersOf(tx, [modelId, ...fallbackIds]),
  })
  await tx.configuration.update({ where: { id: configurationId }, data: { raisedDataClass } })
  if (JSON.stringify(old) === JSON.stringify(fallbackIds)) return
  await tx.configurationFallback.deleteMany({ where: { configurationId } })
  await tx.configurationFallback.createMany({
    data: fallbackIds.map((id, position) => ({ configurationId, modelId: id, position })),
  })
}

async function providersOf(tx: Tx, modelIds: readonly string[]) {
  const rows = await tx.model.findMany({
    where: { id: { in: [...modelIds] } },
    select: { connection: true },
  })
  return rows.map(({ connection }) => providerOf(connection))
}

async function writeGroups(
  tx: PolicyTx,
  configurationId: string,
  groupIds: string[],
): Promise<void> {
  await requireGroups(tx, groupIds)
  await tx.configurationGroup.deleteMany({
    where: { configurationId, groupId: { notIn: groupIds } },
  })
  await tx.configurationGroup.createMany({
    data: groupIds.map((groupId) => ({ configurationId, groupId })),
    skipDuplicates: true,
  })
}

/** Throws ValidationError unless each of these groups exists. */
export async function requireGroups(tx: Tx, groupIds: readonly string[]): Promise<void> {
  const wanted = [...new Set(groupIds)]
  const found = await tx.group.count({ where: { id: { in: wanted } } })
  if (found !== wanted.length) {
    throw new ValidationError({ groupIds: 'A group no longer exists.' })
  }
}

/** `known`: the models of the old chain, which may stay even if they are switched off now. */
type Chain = { modelId: string; fallbackIds: readonly string[]; known: readonly string[] }

/**
 * Throws ValidationError for a chain that no run could use: with a model that does not exist, with the same model
 * twice, or with a new model that is switched off, itself or by its connection.
 */
export async function requireChain(tx: Tx, { modelId, fallbackIds, known }: Chain): Promise<void> {
  const rows = await tx.model.findMany({
    where: { id: { in: [modelId, ...fallbackIds] } },
    select: {
      id: true,
      displayName: true,
      enabled: true,
      connection: { select: { name: true, enabled: true } },
    },
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  if (!byId.has(modelId)) {
    throw new ValidationError({ modelId: 'This model no longer exists. Pick another.' })
  }
  const seen = new Set([modelId])
  for (const id of fallbackIds) {
    const model = byId.get(id)
    if (!model) refuseFallback('A fallback model no longer exists.')
    else if (seen.has(id)) refuseFallback(twice(model.displayName))
    seen.add(id)
  }
  for (const { id, displayName, enabled, connection } of rows) {
    if ((enabled && connection.enabled) || known.includes(id)) continue
    const what = enabled ? `The connection ${connection.name}` : displayName
    const sentence = `${what} is switched off, so no run could use the model ${displayName}. Switch ${enabled ? 'the connection' : 'the model'} on first, or pick another model.`
    throw new ValidationError({ [id === modelId ? 'modelId' : 'fallbackModelIds']: sentence })
  }
}

const twice = (name: string) => `Add each model only once. ${name} appears twice.`

function refuseFallback(sentence: string): never {
  throw new ValidationError({ fallbackModelIds: sentence })
}

/** Throws ValidationError for further body fields that Toolgate sets itself on the API type of one of the models. */
export async function requireExtraBody(
  tx: Tx,
  modelIds: readonly string[],
  extraBody: JsonObject | null,
): Promise<void> {
  if (!extraBody) return
  const rows = await tx.model.findMany({
    where: { id: { in: [...modelIds] } },
    select: { displayName: true, connection: { select: { wire: true } } },
  })
  for (const { displayName, connection } of rows) {
    const taken = fieldsSetByUs(wireOf(connection.wire), extraBody)
    if (taken.length === 0) continue
    const sentence = `Toolgate sets ${taken.join(', ')} itself for ${displayName}. Remove it here and use the field of the configuration, if there is one.`
    throw new ValidationError({ 'options.extraBody': sentence })
  }
}

/** Returns what the audit keeps of a change: the fields that differ, and what the configuration is called. */
export function differenceOf({ before, after }: Record<'before' | 'after', ConfigurationForm>) {
  const differences = diffConfigurations(before, after)
  return {
    before: { identifier: before.identifier, ...differingParts(before, differences) },
    after: { identifier: after.identifier, ...differingParts(after, differences) },
  }
}
