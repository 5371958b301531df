import { z } from 'zod'
import { providerOf, wireOf } from '@/lib/domains/rows/column-names'
import { readConfigurationForm } from '@/lib/domains/rows/configuration-history'
import { pricesOf, validPrice } from '@/lib/domains/rows/model-prices'
import { verb } from '@/lib/edge/verb'
import type { Connection, Model, Prisma } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db, type Tx, withTransaction } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { AfterUntrusted } from '@/lib/protocol/flow'
import { extraBodyFault } from '@/lib/protocol/model/own-body-fields'
import { ReasoningEffort } from '@/lib/protocol/parameters/parameter-values'
import {
  ConfigurationOptions,
  ModelParameter,
  ModelParameters,
} from '@/lib/protocol/parameters/parameters'
import { AllowedOverrides } from '@/lib/protocol/run/override-names'
import { DataClass } from '@/lib/protocol/tool'
import { AllowedNames } from '@/lib/protocol/tool-access'
import { namedBy } from '@/lib/shape/identifier'
import { didYouMean } from '@/lib/words/nearest-name'
import {
  type ChainLink,
  type ConfigurationUses,
  EditableConfiguration,
  GovernedConfiguration,
  type ModelChoice,
  WhichConfiguration,
} from './schemas'

/**
 * Returns the id of the configuration with this id or identifier, on or off. NotFoundError when there is none. Admins
 * only.
 */
export async function findConfiguration(
  ctx: Ctx,
  idOrIdentifier: string,
): Promise<{ id: string; identifier: string }> {
  requireRole(ctx, 'admin')
  return requireConfiguration(db(), idOrIdentifier)
}

/**
 * Returns the id of the configuration with this id or identifier. Throws NotFoundError that names the nearest one. The
 * caller has checked the role.
 */
export async function requireConfiguration(
  tx: Tx,
  idOrIdentifier: string,
): Promise<{ id: string; identifier: string }> {
  const where = namedBy(idOrIdentifier)
  const select = { id: true, identifier: true }
  const row = where && (await tx.configuration.findFirst({ where, select }))
  if (!row) throw await unknownConfiguration(tx, idOrIdentifier, {})
  return row
}

/** Returns a NotFoundError that names the nearest configuration among those that fit `visible`. */
export async function unknownConfiguration(
  tx: Tx,
  wanted: string,
  visible: Prisma.ConfigurationWhereInput,
): Promise<NotFoundError> {
  const rows = await tx.configuration.findMany({ where: visible, select: { identifier: true } })
  const names = rows.map(({ identifier }) => identifier)
  return new NotFoundError('The configuration', didYouMean(wanted, names))
}

/** Throws NotFoundError when there is none. */
export const readEditableConfiguration = verb({
  name: 'configuration.read',
  role: 'admin',
  scope: 'configurations:read',
  summary: 'Returns a configuration by identifier or id; its version is its ETag.',
  input: WhichConfiguration,
  output: EditableConfiguration,
  transaction: false,
  run: (_context, { id: named }) =>
    // One transaction, so that version and form belong together.
    withTransaction(async (tx) => {
      const { id } = await requireConfiguration(tx, named)
      const row = await tx.configuration.findUnique({ where: { id }, select: { version: true } })
      if (!row) throw new NotFoundError('The configuration')
      return { id, version: row.version, form: await readConfigurationForm(tx, id) }
    }),
})

const governed = {
  model: { include: { connection: true } },
  fallbacks: {
    orderBy: { position: 'asc' },
    include: { model: { include: { connection: true } } },
  },
  groups: { select: { group: { select: { id: true, name: true } } } },
  _count: { select: { skills: true } },
} as const satisfies Prisma.ConfigurationInclude

type Row = Prisma.ConfigurationGetPayload<{ include: typeof governed }>

/** Returns the condition on the configurations that the API key of the caller may use; without a key, all. */
export function withinKey({ keyLimits }: Ctx): Prisma.ConfigurationWhereInput {
  const ids = keyLimits?.configurations ?? null
  return ids === null ? {} : { id: { in: ids } }
}

/** By name, those that are switched off as well. Of a key, those that it may use. */
export const listGovernedConfigurations = verb({
  name: 'configuration.list',
  role: 'admin',
  scope: 'configurations:read',
  summary: 'Lists configurations with their policy.',
  input: z.object({}),
  output: z.array(GovernedConfiguration),
  transaction: false,
  run: async ({ ctx }) => {
    const rows = await db().configuration.findMany({
      where: withinKey(ctx),
      include: governed,
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
    })
    return rows.map(toGoverned)
  },
})

/** Returns one by its id or identifier, switched off or not. NotFoundError when there is none. Admins only. */
export async function readGovernedConfiguration(
  ctx: Ctx,
  idOrIdentifier: string,
): Promise<GovernedConfiguration> {
  requireRole(ctx, 'admin')
  const where = namedBy(idOrIdentifier)
  const row = where && (await db().configuration.findFirst({ where, include: governed }))
  if (!row) throw await unknownConfiguration(db(), idOrIdentifier, {})
  return toGoverned(row)
}

function toGoverned(row: Row): GovernedConfiguration {
  return {
    id: row.id,
    identifier: row.identifier,
    name: row.name,
    description: row.description,
    enabled: row.enabled,
    chain: [row.model, ...row.fallbacks.map(({ model }) => model)].map(toLink),
    systemPrompt: row.systemPrompt,
    parameters: ModelParameters.parse(row.parameters),
    maxRounds: row.maxRounds,
    timeLimitMs: row.timeLimitMs,
    ...AllowedNames.parse(row),
    allowedOverrides: AllowedOverrides.parse(row.allowedOverrides),
    raisedDataClass: DataClass.nullable().parse(row.raisedDataClass),
    fourEyes: row.fourEyes,
    afterUntrusted: AfterUntrusted.parse(row.afterUntrusted),
    memoryInPrompt: row.memoryInPrompt,
    groups: row.groups
      .map(({ group }) => group)
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
    skills: row._count.skills,
    fault: storedFault(row.parameters, runnable(row)),
  }
}

/** Returns the models that a run would ask: it passes over a fallback that is switched off. */
function runnable({ model, fallbacks }: Row): Row['model'][] {
  const others = fallbacks.map((each) => each.model)
  return [model, ...others.filter(({ enabled, connection }) => enabled && connection.enabled)]
}

function toLink({ connection, modelId, displayName, enabled }: Row['model']): ChainLink {
  return {
    ...providerOf(connection),
    modelId,
    modelName: displayName,
    enabled: enabled && connection.enabled,
  }
}

type Link = Pick<Model, 'displayName'> & { connection: Pick<Connection, 'wire'> }

/**
 * Returns why no run can start with these stored parameters, and what to do; null = nothing is wrong. `chain`: the
 * models that a run would ask.
 */
export function storedFault(parameters: Prisma.JsonValue, chain: readonly Link[]): string | null {
  return extraBodyFault(
    ConfigurationOptions.parse(parameters).extraBody,
    chain.map(({ displayName, connection }) => ({
      modelName: displayName,
      wire: wireOf(connection.wire),
    })),
  )
}

/** Returns every model by connection and name, those that are switched off as well. Admins only. */
export async function listModelChoices(ctx: Ctx): Promise<ModelChoice[]> {
  requireRole(ctx, 'admin')
  const rows = await db().model.findMany({
    include: { connection: true, prices: validPrice(new Date()) },
    orderBy: [{ connection: { name: 'asc' } }, { displayName: 'asc' }, { id: 'asc' }],
  })
  return rows.map((row) => ({
    ...providerOf(row.connection),
    id: row.id,
    modelId: row.modelId,
    name: row.displayName,
    enabled: row.enabled && row.connection.enabled,
    toolCalling: row.toolCalling,
    contextTokens: row.contextTokens,
    maxOutputTokens: row.maxOutputTokens,
    reasoning: row.reasoning,
    reasoningEfforts: z.array(ReasoningEffort).parse(row.reasoningEfforts),
    unsupportedParameters: z.array(ModelParameter).parse(row.unsupportedParameters),
    prices: pricesOf(row),
  }))
}

const periodMs = 30 * 86_400_000
const mostNames = 100

/** Returns what uses a configuration; nothing uses one that does not exist. Admins only. */
export async function readConfigurationUses(
  ctx: Ctx,
  configurationId: string,
): Promise<ConfigurationUses> {
  requireRole(ctx, 'admin')
  return usesOf(db(), parseId(configurationId, 'The configuration'))
}

/** Returns what uses a configuration, inside a transaction. The caller has checked the role. */
export async function usesOf(tx: Tx, configurationId: string): Promise<ConfigurationUses> {
  const mine = {
    where: { configurationId },
    select: { id: true, name: true },
    orderBy: { name: 'asc' },
    take: mostNames,
  } as const
  const { where: _, ...named } = mine
  const since = new Date(Date.now() - periodMs)
  // Active runs are not rolled up: an index finds those few, however many runs have ended.
  const going = { configurationId, rolledUp: false, NOT: { status: 'ended' } } as const
  const groups = await tx.configurationGroup.findMany({
    where: { configurationId },
    select: { group: { select: { id: true, name: true } } },
    orderBy: { group: { name: 'asc' } },
  })
  const runners = await tx.run.findMany({
    where: going,
    select: { user: { select: { email: true } } },
    distinct: ['userId'],
    take: mostNames,
  })
  return {
    tasks: await tx.task.findMany({
      ...named,
      where: { OR: [{ configurationId }, { members: { some: { configurationId } } }] },
    }),
    groups: groups.map(({ group }) => group),
    rules: await tx.approvalRule.findMany(mine),
    budgets: await tx.budget.findMany({
      where: { scope: 'configuration', scopeId: configurationId },
      select: { id: true, window: true, unit: true },
      take: mostNames,
    }),
    runs: await tx.run.count({ where: { configurationId, createdAt: { gte: since } } }),
    going: await tx.run.count({ where: going }),
    runners: runners.map(({ user }) => user.email).toSorted(),
  }
}
