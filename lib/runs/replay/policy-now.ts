import 'server-only'
import { z } from 'zod'
import { readRunLimits } from '@/lib/domains/settings/verbs'
import { grantedBySkills, type Subject } from '@/lib/engines/runtime/policy/subject'
import type { Tx } from '@/lib/kernel/db'
import type { CostCap } from '@/lib/protocol/cost/money'
import { stricterAfterUntrusted } from '@/lib/protocol/flow'
import { isUnlimited } from '@/lib/protocol/key-limits'
import { childLimits } from '@/lib/protocol/run/child-runs'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { DataClass } from '@/lib/protocol/tool'
import type { RunRequest } from '@/lib/runs/schemas'
import { subjectOf } from '@/lib/toolset/policy/load-subject'
import type { PolicyState } from '@/lib/toolset/policy/read-policy-state'

/** The fields of a configuration that limit its runs, as its versions keep them. */
const Limits = z.object({
  maxRounds: z.int(),
  timeLimitMs: z.int(),
  costCapMicroUsd: z.coerce.number().nullable(),
  costCapMode: z.enum(['off', 'warn', 'enforce']),
})
type Limits = z.infer<typeof Limits>

/**
 * Limits of a configuration now, and when the run began: null = nothing tells what they were. `mostRounds` is the maximum of
 * the site.
 */
export type LimitsThenAndNow = { now: Limits; before: Limits | null; mostRounds: number }

/** A run as it began, with what is stored beside its journal. */
export type BegunRun = {
  start: RunEventOf<'run-start'>['data']
  request: RunRequest
  apiKeyId: string | null
}

/** Reads the limits of a configuration; null = it is gone. */
export async function readLimits(
  tx: Tx,
  configurationId: string,
  startedAt: Date,
): Promise<LimitsThenAndNow | null> {
  const [row, version, first, { maxRounds: mostRounds }] = await Promise.all([
    tx.configuration.findUnique({ where: { id: configurationId } }),
    tx.configurationVersion.findFirst({
      where: { configurationId, createdAt: { lte: startedAt } },
      orderBy: { version: 'desc' },
    }),
    tx.configurationVersion.findFirst({ where: { configurationId } }),
    readRunLimits(tx),
  ])
  if (!row) return null
  const now = Limits.parse(row)
  // Without a history it was never changed.
  const before = first ? (Limits.safeParse(version?.data).data ?? null) : now
  return { now, before, mostRounds }
}

/**
 * Returns the snapshot that the run would have if it began now: the rights and limits of its configuration and the zones of its
 * providers are those of now; model, prompt, parameters and what the person picked are those of then. Null: nobody knows
 * whether its person had set the rounds.
 */
export function snapshotNow(
  { start, request, apiKeyId }: BegunRun,
  state: PolicyState,
  limits: LimitsThenAndNow | null,
): RunSnapshot | null {
  const { configuration: now, connections, task } = state
  const { snapshot: then } = start
  const zones = new Map(connections.map(({ id, trustZone }) => [id, trustZone]))
  const targets = then.targets.map((target) => ({
    ...target,
    trustZone: zones.get(target.connectionId) ?? target.trustZone,
  }))
  if (!now || !limits) return { ...then, targets }
  const maxRounds = roundsNow(request, limits, isAdminNow(state, apiKeyId))
  if (maxRounds === null) return null
  const isChild = start.parent !== undefined
  const { allowedToolGroups, allowedTools } = now
  const granted = grantedBySkills([...now.skills, ...(task?.skills ?? [])])
  const isOtherModel = start.overridden?.includes('model') === true
  const caps = then.costCaps.filter(({ scope }) => scope !== 'configuration')
  return {
    ...then,
    targets,
    maxRounds,
    timeLimitMs: isChild
      ? Math.min(limits.now.timeLimitMs, childLimits.ms)
      : limits.now.timeLimitMs,
    costCaps: [...capOf(limits.now), ...caps],
    allowedToolGroups,
    allowedTools,
    // It was raised for the models of the configuration.
    raisedDataClass: isOtherModel
      ? lower(then.raisedDataClass, now.raisedDataClass)
      : now.raisedDataClass,
    // Those of the run that started this one are in them, too.
    fourEyes: now.fourEyes || (isChild && then.fourEyes),
    afterUntrusted: isChild
      ? stricterAfterUntrusted(then.afterUntrusted ?? 'allow', now.afterUntrusted)
      : now.afterUntrusted,
    grantedBySkills: granted && [...granted].toSorted(),
  }
}

/** Returns the subject of a run that begins now with a snapshot of now. */
export function subjectNow(
  state: PolicyState,
  snapshot: RunSnapshot,
  { request, apiKeyId }: BegunRun,
): Subject {
  // Lists of skills of then count no longer.
  return subjectOf(state, {
    userId: state.actor?.userId ?? '',
    apiKeyId,
    snapshot: { ...snapshot, skills: [] },
    selected: request.tools,
  })
}

function isAdminNow({ actor, apiKey }: PolicyState, apiKeyId: string | null): boolean {
  const isLimited = apiKeyId !== null && apiKey !== null && !isUnlimited(apiKey.limits)
  return actor?.role === 'admin' && !isLimited
}

/** Returns the rounds that the run would have now (SPEC R3); null where it depends on whether its person set them. */
function roundsNow(
  { maxRounds: had }: RunRequest,
  { before, now, mostRounds }: LimitsThenAndNow,
  isAdmin: boolean,
): number | null {
  const most = isAdmin ? mostRounds : Math.min(mostRounds, now.maxRounds)
  const ifSet = Math.min(most, had)
  const ifNotSet = Math.min(most, now.maxRounds)
  if (ifSet === ifNotSet) return ifSet
  if (!before) return null
  return had === before.maxRounds ? ifNotSet : ifSet
}

function capOf({ costCapMicroUsd, costCapMode: mode }: Limits): CostCap[] {
  if (costCapMicroUsd === null || mode === 'off') return []
  return [{ scope: 'configuration', mode, limitMicroUsd: costCapMicroUsd }]
}

/** Returns the lower one. Null raises nothing, so it is the lower one. */
function lower(a: DataClass | null, b: DataClass | null): DataClass | null {
  if (a === null || b === null) return null
  return DataClass.options.indexOf(a) <= DataClass.options.indexOf(b) ? a : b
}
