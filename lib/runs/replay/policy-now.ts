import 'server-only'
import { z } from 'zod'
import { readRunLimits } from '@/lib/domains/settings/verbs'
import { grantedBySkills } from '@/lib/engines/runtime/policy/subject'
import type { ReplayPolicy } from '@/lib/engines/runtime/replay/replay-run'
import type { Tx } from '@/lib/kernel/db'
import type { CostCap } from '@/lib/protocol/cost/money'
import { stricterAfterUntrusted } from '@/lib/protocol/flow'
import { isUnlimited } from '@/lib/protocol/key-limits'
import { childLimits } from '@/lib/protocol/run/child-runs'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { DataClass, type ExecutableTool } from '@/lib/protocol/tool'
import { subjectOf } from '@/lib/toolset/policy/load-subject'
import { type PolicyState, readPolicyStates } from '@/lib/toolset/policy/read-policy-state'
import { type OtherStarts, readOtherStarts } from './other-starts'
import type { BegunRun, StoredRun } from './stored-runs'

/** The fields of a configuration that limit its runs, as its versions keep them. */
const Limits = z.object({
  maxRounds: z.int(),
  timeLimitMs: z.int(),
  costCapMicroUsd: z.coerce.number().nullable(),
  costCapMode: z.enum(['off', 'warn', 'enforce']),
})
export type Limits = z.infer<typeof Limits>

/** State of a run's configuration, of its site and of its key that is no part of what gates read. */
type Beside = {
  /** Limits of the configuration now; null = it is gone, or there is none. */
  limits: Limits | null
  /** Rounds that the configuration had when the run began; null = nothing tells. */
  roundsThen: number | null
  /** Maximum rounds of the site. */
  mostRounds: number
  /** Why its key starts no runs any more, as a sentence; null = it does, or there is none. */
  endedKey: string | null
}

/** Everything stored of which the policy for a run is made. A draft changes it before it is asked. */
export type PolicyFacts = Beside & {
  state: PolicyState
  /** null = too many calls to count. */
  starts: OtherStarts | null
}

/**
 * Reads the facts of today for runs, in their order. `limited`: names of tools that have a limit in a draft, beside those that
 * have one. Throws when anything of it cannot be read.
 */
export async function readPolicyFacts(
  tx: Tx,
  runs: readonly StoredRun[],
  limited: readonly string[] = [],
): Promise<PolicyFacts[]> {
  const { readings } = await readPolicyStates(tx, runs.map(questionOf))
  const states = readings.map((reading) => {
    if (reading.type === 'unreadable') throw reading.error
    return reading.value
  })
  const names = [...limited, ...(states[0]?.limits ?? []).map(({ toolName }) => toolName)]
  const [beside, starts] = await Promise.all([
    readBeside(tx, runs),
    readOtherStarts(tx, runs, [...new Set(names)]),
  ])
  return runs.map((run, index) => {
    const state = states[index]
    if (!state) throw new Error('The policy state has no answer for a run.')
    return { ...beside(run), state, starts: starts && (starts.get(run.runId) ?? new Map()) }
  })
}

function questionOf({ runId, userId, apiKeyId, start: { snapshot } }: StoredRun) {
  return {
    userId,
    runId,
    apiKeyId,
    configurationId: snapshot.configurationId,
    taskId: snapshot.task?.taskId ?? null,
    connectionIds: snapshot.targets.map(({ connectionId }) => connectionId),
    modelIds: snapshot.targets.map(({ modelRecordId }) => modelRecordId),
  }
}

const Version = z.object({ maxRounds: z.int() })

async function readBeside(tx: Tx, runs: readonly StoredRun[]): Promise<(run: StoredRun) => Beside> {
  const ids = runs.flatMap(({ start: { snapshot } }) => snapshot.configurationId ?? [])
  const keyIds = runs.flatMap(({ apiKeyId }) => apiKeyId ?? [])
  const [configurations, versions, keys, { maxRounds: mostRounds }] = await Promise.all([
    tx.configuration.findMany({ where: { id: { in: ids } } }),
    tx.configurationVersion.findMany({
      where: { configurationId: { in: ids } },
      orderBy: { version: 'desc' },
    }),
    tx.apiKey.findMany({ where: { id: { in: keyIds } } }),
    readRunLimits(tx),
  ])
  const limitsOf = new Map(configurations.map((row) => [row.id, Limits.parse(row)]))
  const keyOf = new Map(keys.map((row) => [row.id, row]))
  return ({ start: { snapshot }, createdAt, apiKeyId }) => {
    const limits = limitsOf.get(snapshot.configurationId ?? '') ?? null
    const history = versions.filter((row) => row.configurationId === snapshot.configurationId)
    const then = history.find((row) => row.createdAt <= createdAt)
    const kept = Version.safeParse(then?.data).data?.maxRounds ?? null
    // Without a history it was never changed.
    const roundsThen = history.length === 0 ? (limits?.maxRounds ?? null) : kept
    return { limits, roundsThen, mostRounds, endedKey: endedWords(keyOf.get(apiKeyId ?? '')) }
  }
}

type Key = { name: string; revokedAt: Date | null; expiresAt: Date | null; pausedAt: Date | null }

function endedWords(key: Key | undefined): string | null {
  if (!key) return null
  const { name, revokedAt, expiresAt, pausedAt } = key
  if (revokedAt) return `The API key ${name} was revoked.`
  if (expiresAt && expiresAt <= new Date()) return `The API key ${name} has expired.`
  return pausedAt && `The API key ${name} is paused.`
}

/** A policy, or the reason why nobody knows what it would be, as a sentence. */
export type KnownPolicy = ReplayPolicy | { why: string }

const roundsUnknown =
  'The history of its configuration does not say whether its rounds were set for this run alone.'
const tooManyStarts = 'While it ran, too many calls of tools with a limit began to count them.'

/** Returns the policy that a run would have if it began now. */
export function policyNow(
  run: BegunRun,
  facts: PolicyFacts,
  tools: ReadonlyMap<string, ExecutableTool>,
): KnownPolicy {
  const { state, starts, endedKey } = facts
  const snapshot = snapshotNow(run, facts)
  if (!snapshot) return { why: roundsUnknown }
  if (!starts) return { why: tooManyStarts }
  const { revoked, ...rights } = subjectOf(state, {
    userId: state.actor?.userId ?? '',
    apiKeyId: run.apiKeyId,
    // Lists of skills of then count no longer.
    snapshot: { ...snapshot, skills: [] },
    selected: run.request.tools,
  })
  const subject = { ...rights, revoked: { ...revoked, run: revoked.run ?? endedKey } }
  return { subject, tools, snapshot, startsOf: (name) => starts.get(name) ?? [] }
}

/**
 * Returns the snapshot that the run would have if it began now: the rights and limits of its configuration and the zones of its
 * providers are those of now; model, prompt, parameters and what the person picked are those of then. Null: nobody knows
 * whether its person had set the rounds.
 */
function snapshotNow(run: BegunRun, facts: PolicyFacts): RunSnapshot | null {
  const { start } = run
  const { limits, state } = facts
  const { configuration: now, connections, task } = state
  const { snapshot: then } = start
  const zones = new Map(connections.map(({ id, trustZone }) => [id, trustZone]))
  const targets = then.targets.map((target) => ({
    ...target,
    trustZone: zones.get(target.connectionId) ?? target.trustZone,
  }))
  if (!now || !limits) return { ...then, targets }
  const maxRounds = roundsNow(run, limits.maxRounds, facts)
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
    timeLimitMs: isChild ? Math.min(limits.timeLimitMs, childLimits.ms) : limits.timeLimitMs,
    costCaps: [...capOf(limits), ...caps],
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

/** Returns the rounds that the run would have now (SPEC R3); null where it depends on whether its person set them. */
function roundsNow(
  { request: { maxRounds: had }, apiKeyId }: BegunRun,
  ofConfiguration: number,
  { roundsThen, mostRounds, state: { actor, apiKey } }: PolicyFacts,
): number | null {
  const isLimited = apiKeyId !== null && apiKey !== null && !isUnlimited(apiKey.limits)
  const isAdmin = actor?.role === 'admin' && !isLimited
  const most = isAdmin ? mostRounds : Math.min(mostRounds, ofConfiguration)
  const ifSet = Math.min(most, had)
  const ifNotSet = Math.min(most, ofConfiguration)
  if (ifSet === ifNotSet) return ifSet
  if (roundsThen === null) return null
  return had === roundsThen ? ifNotSet : ifSet
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
