import { Prisma } from '../../generated/prisma/client'
import type { Tx } from '../../kernel/db'
import type { ConfigurationForm } from '../../protocol/configuration-form'
import { keptRaise, type TrustZone } from '../../protocol/model-target'
import { defaultParameters, parametersIn, storedParameters } from '../../protocol/parameters'
import { trustZoneOf } from '../rows/column-names'
import { requireChain, requireExtraBody } from './require-chain'
import { requireGroups } from './require-groups'
import { type ConfigurationChanges, columnsOf } from './schemas'

/** Writes what is wanted over what was; what is left out stays. A part of a verb's transaction. */
export async function writeConfiguration(
  tx: Tx,
  id: string,
  before: ConfigurationForm,
  wanted: ConfigurationChanges,
): Promise<void> {
  const { modelId, fallbackModelIds, groupIds, allowedToolGroups } = wanted
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
      ...(allowedToolGroups !== undefined && {
        allowedToolGroups: allowedToolGroups ?? Prisma.DbNull,
      }),
    },
  })
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
  tx: Tx,
  configurationId: string,
  before: ConfigurationForm,
  wanted: Pick<ConfigurationChanges, 'modelId' | 'fallbackModelIds'>,
): Promise<void> {
  const old = before.fallbacks.map(({ id }) => id)
  const { modelId = before.model.id, fallbackModelIds: fallbackIds = old } = wanted
  const known = [before.model.id, ...old]
  await requireChain(tx, { modelId, fallbackIds, known })
  const raisedDataClass = keptRaise(before.raisedDataClass, {
    before: await zonesOf(tx, known),
    after: await zonesOf(tx, [modelId, ...fallbackIds]),
  })
  await tx.configuration.update({ where: { id: configurationId }, data: { raisedDataClass } })
  if (JSON.stringify(old) === JSON.stringify(fallbackIds)) return
  await tx.configurationFallback.deleteMany({ where: { configurationId } })
  await tx.configurationFallback.createMany({
    data: fallbackIds.map((id, position) => ({ configurationId, modelId: id, position })),
  })
}

async function zonesOf(tx: Tx, modelIds: readonly string[]): Promise<TrustZone[]> {
  const rows = await tx.model.findMany({
    where: { id: { in: [...modelIds] } },
    select: { connection: { select: { trustZone: true } } },
  })
  return rows.map(({ connection }) => trustZoneOf(connection.trustZone))
}

async function writeGroups(tx: Tx, configurationId: string, groupIds: string[]): Promise<void> {
  await requireGroups(tx, groupIds)
  await tx.configurationGroup.deleteMany({
    where: { configurationId, groupId: { notIn: groupIds } },
  })
  await tx.configurationGroup.createMany({
    data: groupIds.map((groupId) => ({ configurationId, groupId })),
    skipDuplicates: true,
  })
}
