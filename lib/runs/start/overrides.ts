import 'server-only'
import { findRunModel } from '@/lib/domains/configurations/run-snapshot'
import { visibleConfigurations } from '@/lib/domains/configurations/usable'
import { roleWithinKey, runsWithinKey } from '@/lib/domains/rows/runs-within-key'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { keptRaise, type ModelTarget } from '@/lib/protocol/model/model-target'
import { defaultOptions } from '@/lib/protocol/parameters/parameters'
import { type OverrideName, overrideWords } from '@/lib/protocol/run/override-names'
import {
  changedNames,
  overridableOf,
  overrideFields,
  type RunOverrides,
} from '@/lib/protocol/run/run-overrides'
import { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { visibleRuns } from '@/lib/runs/require-run'
import { formatCount, inSentence } from '@/lib/words/format'

type Asked = { overrides: RunOverrides | null; at: Date }

/** A run's snapshot with its changes, and their names in the order of `OverrideName`; none = as the configuration says. */
export type Changed = { snapshot: RunSnapshot; overridden: OverrideName[] }

/**
 * Returns the snapshot with what a single run has otherwise (SPEC C1a). Another model stands alone: the fallback chain belongs
 * to the model of the configuration. Throws ForbiddenError for what a member may not change, ValidationError for a model that
 * is not there for this person, and for a higher output limit.
 */
export async function withOverrides(
  client: Tx,
  ctx: Ctx,
  snapshot: RunSnapshot,
  { overrides, at }: Asked,
): Promise<Changed> {
  const overridden = overrides ? changedNames(overridableOf(snapshot), overrides) : []
  if (!overrides || overridden.length === 0) return { snapshot, overridden: [] }
  if (roleWithinKey(ctx) !== 'admin') refuseUnlisted(snapshot, overridden)
  const { model, systemPrompt = snapshot.systemPrompt, ...parameters } = overrides
  const isOther = model !== undefined && overridden.includes('model')
  const targets = isOther
    ? [await requireModel(client, ctx, model, { snapshot, at })]
    : snapshot.targets
  const changed = {
    ...snapshot,
    targets,
    systemPrompt,
    parameters: { ...snapshot.parameters, ...given(parameters) },
    // It was raised for the providers of the configuration, and counts for none that is trusted less.
    raisedDataClass: keptRaise(snapshot.raisedDataClass, {
      before: snapshot.targets,
      after: targets,
    }),
  }
  if (roleWithinKey(ctx) !== 'admin') refuseHigherLimit(snapshot, changed)
  return { snapshot: changed, overridden }
}

/** Returns the fields that are not left out. */
function given<T extends object>(fields: T) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  // The rest has the types of its fields, without undefined, which the compiler cannot infer.
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

/** Throws ForbiddenError when a member may not change all of this for a single run. */
export function refuseUnlisted(
  { configurationName, allowedOverrides = [] }: RunSnapshot,
  wanted: readonly OverrideName[],
): void {
  const refused = wanted.filter((name) => !allowedOverrides.includes(name))
  if (refused.length === 0) return
  const what = refused.map((name) => inSentence(overrideWords[name]))
  const list = new Intl.ListFormat('en').format(what)
  throw new ForbiddenError(
    `Members may not change this of a run of ${configurationName}: ${list}. An admin can add it to the list “Members may change for a single run” of the configuration.`,
  )
}

/** Throws ValidationError with the same words for a model that does not exist, is off, or belongs to others. */
export async function requireModel(
  client: Tx,
  ctx: Ctx,
  id: string,
  { snapshot, at }: { snapshot: RunSnapshot; at: Date },
): Promise<ModelTarget> {
  const costs = { options: snapshot.options ?? defaultOptions, at }
  const target = await findRunModel(client, id, changeableModels(ctx), costs)
  if (target) return target
  throw new ValidationError({
    'overrides.model':
      'There is no such model, it or its connection is switched off, or you may not use it. Pick another.',
  })
}

/**
 * Returns the condition on the models that the caller may pick for a single run: admins every one; members, and keys that are
 * limited to some configurations, those of configurations that they may use.
 */
export function changeableModels(ctx: Ctx): Prisma.ModelWhereInput {
  if (ctx.actor.role === 'admin' && !ctx.keyLimits?.configurations) return {}
  const usable = visibleConfigurations(ctx)
  return {
    OR: [
      { configurations: { some: usable } },
      { fallbackFor: { some: { configuration: usable } } },
    ],
  }
}

/** Throws ValidationError when a member asks for a longer answer than the configuration lets a model write. */
export function refuseHigherLimit(before: RunSnapshot, { parameters, targets }: RunSnapshot): void {
  const most = before.parameters.maxOutputTokens
  if (most === null) return
  const wanted = parameters.maxOutputTokens ?? targets[0]?.maxOutputTokens ?? null
  if (parameters.maxOutputTokens === most || (wanted !== null && wanted <= most)) return
  throw new ValidationError({
    'overrides.maxOutputTokens': `Only an admin may raise the output limit. The configuration allows ${formatCount(most)} tokens per answer.`,
  })
}

/** Returns what the audit keeps of the changes: small values, and of the system prompt that it was changed. */
export function auditedOverrides({ snapshot, overridden }: Changed): object {
  if (overridden.length === 0) return {}
  const has = overridableOf(snapshot)
  const values = overridden.map((name) => {
    if (name === 'system-prompt') return ['systemPrompt', 'changed']
    if (name === 'model') return ['model', snapshot.targets[0]?.modelId]
    return [overrideFields[name], has[overrideFields[name]]]
  })
  return { overrides: Object.fromEntries(values) }
}

/**
 * Returns who counts as starter of the run that another is made of, beside its person. Throws NotFoundError unless it is the caller's own, or for a fork one that they may see, the same for one of somebody else as for none (SPEC A3), and ConflictError while it has not ended.
 */
export async function requireOriginal(
  client: Tx,
  ctx: Ctx,
  runId: string | null,
  { isFork }: { isFork: boolean },
): Promise<string[]> {
  if (runId === null) return []
  const own = { AND: [{ userId: ctx.actor.userId }, runsWithinKey(ctx)] }
  const where = { AND: [{ id: runId }, isFork ? visibleRuns(ctx) : own] }
  const run = await client.run.findFirst({ where, select: { status: true, userId: true } })
  if (!run) throw new NotFoundError('The run to change')
  if (run.status !== 'ended')
    throw new ConflictError(
      'The run to change has not ended. Wait for its end, or stop it, and try again.',
    )
  const [begun] = await client.$queryRaw<{ starters: unknown }[]>`
    SELECT coalesce(data->'snapshot'->'starters', '[]') AS starters FROM run_events
    WHERE "runId" = ${runId}::uuid AND seq = 1`
  const starters = RunSnapshot.shape.starters.parse(begun?.starters) ?? []
  // The author of the prompt counts as a starter of a run that goes on from it.
  return [...starters, run.userId]
}
