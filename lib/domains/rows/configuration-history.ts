import { diffConfigurations } from '@/lib/domains/configurations/shared/configuration-differences'
import { auditLabel, type Ctx } from '@/lib/kernel/context'
import type { ChangeTx, PolicyTx, Tx } from '@/lib/kernel/db'
import { NotFoundError, StaleError } from '@/lib/kernel/errors'
import { ConfigurationForm, type NamedModel } from '@/lib/protocol/parameters/configuration-form'
import {
  ConfigurationParameters,
  inGroups,
  storedParameters,
} from '@/lib/protocol/parameters/parameters'

type Change = {
  configurationId: string
  /** The note for the list of versions. */
  note?: string
  /** The version that the change is based on; left out = the current one. */
  version?: number | undefined
}

export type ChangedConfiguration<T> = {
  /** The result of `work`. */
  result: T
  /** The current version. */
  version: number
  changed: boolean
  before: ConfigurationForm
  after: ConfigurationForm
}

/**
 * Does `work` and stores the changed configuration as a new version; without a difference nothing is stored. The first
 * change of a configuration without a history also stores its state before. Throws NotFoundError when there is none,
 * StaleError when its `version` is another one. The caller holds the policy lock exclusively, so nobody else changes
 * it.
 */
export async function changeConfiguration<T>(
  tx: PolicyTx,
  ctx: Ctx,
  { configurationId, note = '', version: seen }: Change,
  work: (before: ConfigurationForm) => Promise<T>,
): Promise<ChangedConfiguration<T>> {
  const row = await tx.configuration.findUnique({
    where: { id: configurationId },
    select: { version: true, updatedAt: true },
  })
  if (!row) throw new NotFoundError('The configuration')
  const before = await readConfigurationForm(tx, configurationId)
  if (seen !== undefined && seen !== row.version) {
    throw await staleError(tx, { configurationId, seen, now: row.version, form: before })
  }
  const result = await work(before)
  const after = await readConfigurationForm(tx, configurationId)
  const changed = diffConfigurations(before, after).length > 0
  if (!changed) return { result, version: row.version, changed, before, after }
  const version = row.version + 1
  const kept = { configurationId, version: row.version, createdAt: row.updatedAt }
  await tx.configurationVersion.createMany({
    data: [{ ...kept, data: storedForm(before), createdByLabel: 'system', note: firstNote }],
    skipDuplicates: true,
  })
  await tx.configuration.update({ where: { id: configurationId }, data: { version } })
  await keepVersion(tx, ctx, { configurationId, version, note, data: after })
  return { result, version, changed, before, after }
}

/** Begins the history of a configuration that was just added. */
export async function beginHistory(
  tx: ChangeTx,
  ctx: Ctx,
  configurationId: string,
  note: string,
): Promise<void> {
  const data = await readConfigurationForm(tx, configurationId)
  await keepVersion(tx, ctx, { configurationId, version: 1, note, data })
}

const firstNote = 'The state before the history of this configuration began.'

async function keepVersion(
  tx: ChangeTx,
  ctx: Ctx,
  row: { configurationId: string; version: number; note: string; data: ConfigurationForm },
): Promise<void> {
  const kept = { ...row, data: storedForm(row.data), createdByLabel: auditLabel(ctx) }
  await tx.configurationVersion.create({ data: kept })
}

function storedForm(form: ConfigurationForm) {
  return { ...form, options: storedParameters(form.options) }
}

/** Returns the whole stored form. The parts are read one after the other, because a transaction has one connection. */
export async function readConfigurationForm(
  tx: Tx,
  configurationId: string,
): Promise<ConfigurationForm> {
  const row = await tx.configuration.findUnique({
    where: { id: configurationId },
    include: { model: named },
  })
  if (!row) throw new NotFoundError('The configuration')
  const where = { configurationId }
  const byPosition = { position: 'asc' } as const
  const fallbacks = await tx.configurationFallback.findMany({
    where,
    orderBy: byPosition,
    select: { model: named },
  })
  const groups = await tx.configurationGroup.findMany({
    where,
    orderBy: { group: { name: 'asc' } },
    select: { group: { select: { id: true, name: true } } },
  })
  const skills = await tx.configurationSkill.findMany({
    where,
    orderBy: byPosition,
    select: { enabled: true, skill: { select: { id: true, name: true } } },
  })
  return ConfigurationForm.parse({
    ...row,
    ...inGroups(ConfigurationParameters.parse(row.parameters)),
    costCapMicroUsd: row.costCapMicroUsd === null ? null : Number(row.costCapMicroUsd),
    model: toNamed(row.model),
    fallbacks: fallbacks.map(({ model }) => toNamed(model)),
    groups: groups.map(({ group }) => group),
    skills: skills.map(({ enabled, skill }) => ({ ...skill, enabled })),
  })
}

const named = {
  select: { id: true, displayName: true, connection: { select: { name: true } } },
} as const

function toNamed(model: {
  id: string
  displayName: string
  connection: { name: string }
}): NamedModel {
  return { id: model.id, name: model.displayName, connection: model.connection.name }
}

type Stale = { configurationId: string; seen: number; now: number; form: ConfigurationForm }

async function staleError(
  tx: Tx,
  { configurationId, seen, now, form }: Stale,
): Promise<StaleError> {
  const key = (version: number) => ({ configurationId_version: { configurationId, version } })
  const old = await tx.configurationVersion.findUnique({ where: key(seen) })
  const last = await tx.configurationVersion.findUnique({ where: key(now) })
  const fields = old ? diffConfigurations(ConfigurationForm.parse(old.data), form) : []
  const what = fields.map(({ label }) => label).join(', ')
  return new StaleError(
    `The configuration changed after you opened it: it is now at version ${now}, and you opened version ${seen}.` +
      (last ? ` The last change was by ${last.createdByLabel}.` : '') +
      (what === '' ? '' : ` Changed: ${what}.`) +
      ' Review the current version, then save again.',
  )
}
