import { z } from 'zod'
import { addressHash, addressOf } from '@/lib/domains/rows/address-hash'
import { providerOf } from '@/lib/domains/rows/column-names'
import { pricesOf, validPrice } from '@/lib/domains/rows/model-prices'
import { countingAttachment, skillSnapshots } from '@/lib/domains/rows/skill-snapshots'
import type {
  Configuration,
  Connection,
  Model,
  ModelPrice,
  Prisma,
} from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { costCapsOf } from '@/lib/protocol/cost/cost-caps'
import { AfterUntrusted } from '@/lib/protocol/flow'
import { pricesFor } from '@/lib/protocol/model/model-families'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { ReasoningEffort } from '@/lib/protocol/parameters/parameter-values'
import {
  ConfigurationOptions,
  ModelParameter,
  ModelParameters,
} from '@/lib/protocol/parameters/parameters'
import { AllowedOverrides } from '@/lib/protocol/run/override-names'
import type { RunSnapshot, SkillSnapshot } from '@/lib/protocol/run/run-snapshot'
import { DataClass } from '@/lib/protocol/tool'
import { AllowedNames } from '@/lib/protocol/tool-access'
import { namedBy } from '@/lib/shape/identifier'
import { unknownConfiguration } from './reads'
import { usableBy } from './usable'

type Configured = RunSnapshot & { configurationId: string }

const asTarget = (at: Date) =>
  ({
    include: { connection: true, prices: validPrice(at) },
  }) as const satisfies Prisma.ModelDefaultArgs

/**
 * Returns a configuration that this person may use, by id or identifier, with all that a run needs, as it goes into the
 * journal: with the prices that hold at `at`, which is when the run begins. Throws NotFoundError when there is none or
 * it is not theirs. Disabled connections drop out of the fallback chain, and skills count only when they are enabled,
 * their file is there and no change of it waits to be accepted.
 */
export async function readConfiguration(
  tx: Tx,
  ctx: Ctx,
  idOrIdentifier: string,
  at = new Date(),
): Promise<Configured> {
  return readSnapshot(tx, idOrIdentifier, usableBy(ctx.actor), at)
}

/**
 * Returns a model as a run asks it, on and with its connection on, if it fits `visible`; null = there is none. `options`
 * decide what it costs.
 */
export async function findRunModel(
  tx: Tx,
  id: string,
  visible: Prisma.ModelWhereInput,
  { options, at }: { options: ConfigurationOptions; at: Date },
): Promise<ModelTarget | null> {
  const usable = { id, enabled: true, connection: { enabled: true } }
  const row = await tx.model.findFirst({ where: { AND: [usable, visible] }, ...asTarget(at) })
  if (!row) return null
  const target = toTarget(row)
  return { ...target, ...pricesFor(target, options) }
}

/** Returns the snapshot of any configuration, also of one that nobody may use now. Admins only. */
export async function readAnyConfiguration(
  tx: Tx,
  ctx: Ctx,
  idOrIdentifier: string,
): Promise<Configured> {
  requireRole(ctx, 'admin')
  return readSnapshot(tx, idOrIdentifier, {}, new Date())
}

/**
 * Returns what any runs with these configurations would begin with, by id, without their prompts' skills; null = it cannot be read. One that
 * does not exist is left out. Three statements, whatever their number.
 */
export async function readAnySnapshots(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Configured | null>> {
  if (ids.length === 0) return new Map()
  const model = asTarget(new Date())
  const where = { id: { in: [...ids] } }
  const rows = await tx.configuration.findMany({ where, include: { model } })
  const fallbacks = await readFallbacks(tx, [...ids], model)
  return new Map(
    rows.map((row) => {
      const own = fallbacks.filter(({ configurationId }) => configurationId === row.id)
      try {
        return [row.id, snapshotOf(row, own, [])]
      } catch {
        return [row.id, null]
      }
    }),
  )
}

/**
 * Reads the parts one after the other, because a transaction has one connection, and Prisma reads nested relations at
 * once.
 */
async function readSnapshot(
  tx: Tx,
  idOrIdentifier: string,
  visible: Prisma.ConfigurationWhereInput,
  at: Date,
): Promise<Configured> {
  const model = asTarget(at)
  const named = namedBy(idOrIdentifier)
  if (!named) throw new NotFoundError('The configuration')
  const where = { AND: [visible, named] }
  const row = await tx.configuration.findFirst({ where, include: { model } })
  if (!row) throw await unknownConfiguration(tx, idOrIdentifier, visible)
  const fallbacks = await readFallbacks(tx, [row.id], model)
  return snapshotOf(row, fallbacks, await readSkills(tx, row.id))
}

/** Reads the fallback models that are on, each configuration's in their order. */
function readFallbacks(tx: Tx, configurationIds: string[], model: ReturnType<typeof asTarget>) {
  return tx.configurationFallback.findMany({
    where: {
      configurationId: { in: configurationIds },
      model: { enabled: true, connection: { enabled: true } },
    },
    orderBy: { position: 'asc' },
    include: { model },
  })
}

type ModelRow = Parameters<typeof toTarget>[0]

function snapshotOf(
  row: Configuration & { model: ModelRow },
  fallbacks: readonly { model: ModelRow }[],
  skills: SkillSnapshot[],
): Configured {
  const options = ConfigurationOptions.parse(row.parameters)
  const models = [row.model, ...fallbacks.map((fallback) => fallback.model)].map(toTarget)
  return {
    configurationId: row.id,
    configurationName: row.name,
    configurationIdentifier: row.identifier,
    systemPrompt: row.systemPrompt,
    parameters: ModelParameters.parse(row.parameters),
    options,
    targets: models.map((target) => ({ ...target, ...pricesFor(target, options) })),
    maxRounds: row.maxRounds,
    timeLimitMs: row.timeLimitMs,
    ...AllowedNames.parse(row),
    ...overridesAllowed(row),
    raisedDataClass: DataClass.nullable().parse(row.raisedDataClass),
    fourEyes: row.fourEyes,
    afterUntrusted: AfterUntrusted.parse(row.afterUntrusted),
    memoryInPrompt: row.memoryInPrompt,
    skills,
    task: null,
    toolMode: row.toolMode,
    costCaps: costCapsOf('configuration', row),
  }
}

/** Returns what members may change; nothing is left out, as in journals from before. */
function overridesAllowed(row: Pick<Configuration, 'allowedOverrides'>) {
  const allowedOverrides = AllowedOverrides.parse(row.allowedOverrides)
  return allowedOverrides.length > 0 ? { allowedOverrides } : {}
}

function toTarget(
  model: Model & { connection: Connection; prices: readonly ModelPrice[] },
): ModelTarget {
  return {
    connectionId: model.connectionId,
    ...providerOf(model.connection),
    addressHash: addressHash(addressOf(model.connection)),
    modelRecordId: model.id,
    modelId: model.modelId,
    contextTokens: model.contextTokens,
    maxOutputTokens: model.maxOutputTokens,
    toolCalling: model.toolCalling,
    reasoning: model.reasoning,
    structuredOutput: model.structuredOutput,
    vision: model.vision,
    reasoningEfforts: z.array(ReasoningEffort).parse(model.reasoningEfforts),
    unsupportedParameters: z.array(ModelParameter).parse(model.unsupportedParameters),
    maxTries: model.connection.maxTries,
    prices: pricesOf(model),
  }
}

/** Returns the skills that count (SPEC G-S), in the order they are sent. */
async function readSkills(tx: Tx, configurationId: string): Promise<SkillSnapshot[]> {
  const attached = await tx.configurationSkill.findMany({
    where: { configurationId, ...countingAttachment },
    orderBy: { position: 'asc' },
    include: { skill: true },
  })
  const skills = attached.map(({ skill }) => skill)
  return skillSnapshots(tx, skills)
}
