import 'server-only'
import { z } from 'zod'
import { endedKeyWords } from '@/lib/domains/api-keys/ended-key'
import { readRunLimits } from '@/lib/domains/settings/verbs'
import { grantedBySkills } from '@/lib/engines/runtime/policy/subject'
import type { ReplayPolicy } from '@/lib/engines/runtime/replay/replay-run'
import type { Tx } from '@/lib/kernel/db'
import { costCapsOf } from '@/lib/protocol/cost/cost-caps'
import type { CostCap } from '@/lib/protocol/cost/money'
import { stricterAfterUntrusted } from '@/lib/protocol/flow'
import { isUnlimited } from '@/lib/protocol/key-limits'
import { childLimits } from '@/lib/protocol/run/child-runs'
import {
  AllowedOverrides,
  type OverrideName,
  overrideWords,
} from '@/lib/protocol/run/override-names'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { lesser } from '@/lib/toolset/policy/configuration-subject'
import { subjectOf } from '@/lib/toolset/policy/load-subject'
import { type PolicyState, readPolicyStates } from '@/lib/toolset/policy/read-policy-state'
import { inSentence } from '@/lib/words/format'
import { type OtherStarts, readOtherStarts } from './other-starts'
import type { BegunRun, StoredRun } from './stored-runs'

const Caps = z.object({
  costCapMicroUsd: z.coerce.number().nullable(),
  costCapMode: z.enum(['off', 'warn', 'enforce']),
})

/** The fields of a configuration that limit its runs. */
const Limits = Caps.extend({ maxRounds: z.int(), timeLimitMs: z.int() })
type Limits = z.infer<typeof Limits>

/** State of a run's configuration, task, key and site that is no part of what gates read. */
type FactsBesidePolicy = {
  /** Limits of the configuration now; null = it is gone, or there is none. */
  limits: Limits | null
  /** Rounds that the configuration had when the run began; null = nothing tells. */
  roundsThen: number | null
  /** Maximum rounds of the site. */
  mostRounds: number
  /** Cost caps of its task now; none without one. */
  taskCaps: CostCap[]
  /** Why its key starts no runs any more, as a sentence; null = it does, or there is none. */
  endedKey: string | null
  /** Another reason why it would not start now, as a sentence; null = none. */
  refusal: string | null
}

/** Everything stored of which the policy for a run is made. A draft changes it before it is asked. */
export type PolicyFacts = FactsBesidePolicy & {
  state: PolicyState
  /** null = too many calls to count. */
  starts: OtherStarts | null
}

/**
 * Reads the facts of today for runs, in their order; null where what is stored about the rights of a run makes no sense.
 * `limited`: names of tools that have a limit in a draft, beside those that have one.
 */
export async function readPolicyFacts(
  tx: Tx,
  runs: readonly StoredRun[],
  limited: readonly string[] = [],
): Promise<(PolicyFacts | null)[]> {
  const { readings } = await readPolicyStates(tx, runs.map(questionOf))
  const states = readings.map((reading) => (reading.type === 'read' ? reading.value : null))
  const site = states.find((state) => state !== null)
  const names = [...limited, ...(site?.limits ?? []).map(({ toolName }) => toolName)]
  const [beside, starts] = await Promise.all([
    readBeside(tx, runs),
    readOtherStarts(tx, runs, [...new Set(names)]),
  ])
  return runs.map((run, index) => {
    const state = states[index]
    if (!state) return null
    return { ...beside(run), state, starts: starts?.(run.runId) ?? null }
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

async function readBeside(
  tx: Tx,
  runs: readonly StoredRun[],
): Promise<(run: StoredRun) => FactsBesidePolicy> {
  const ids = runs.flatMap(({ start: { snapshot } }) => snapshot.configurationId ?? [])
  const keyIds = runs.flatMap(({ apiKeyId }) => apiKeyId ?? [])
  const taskIds = runs.flatMap(({ start: { snapshot } }) => snapshot.task?.taskId ?? [])
  const [configurations, versions, keys, tasks, { maxRounds: mostRounds }] = await Promise.all([
    tx.configuration.findMany({ where: { id: { in: ids } } }),
    tx.configurationVersion.findMany({
      where: { configurationId: { in: ids } },
      orderBy: { version: 'desc' },
    }),
    tx.apiKey.findMany({ where: { id: { in: keyIds } } }),
    tx.task.findMany({ where: { id: { in: taskIds } } }),
    readRunLimits(tx),
  ])
  const rowOf = new Map(configurations.map((row) => [row.id, row]))
  const taskOf = new Map(tasks.map((row) => [row.id, row]))
  const keyOf = new Map(keys.map((row) => [row.id, row]))
  return ({ start, createdAt, apiKeyId }) => {
    const { snapshot } = start
    const row = rowOf.get(snapshot.configurationId ?? '')
    const task = taskOf.get(snapshot.task?.taskId ?? '')
    const limits = row ? Limits.parse(row) : null
    const history = versions.filter((row) => row.configurationId === snapshot.configurationId)
    const then = history.find((row) => row.createdAt <= createdAt)
    const kept = Version.safeParse(then?.data).data?.maxRounds ?? null
    // Without a history it was never changed.
    const roundsThen = history.length === 0 ? (limits?.maxRounds ?? null) : kept
    const taskCaps = task ? costCapsOf('task', Caps.parse(task)) : []
    const key = keyOf.get(apiKeyId ?? '')
    const endedKey = key ? endedKeyWords(key) : null
    const allowed = AllowedOverrides.safeParse(row?.allowedOverrides).data ?? []
    const refusal = taskRefusal(start, task) ?? overrideRefusal(start, allowed)
    return { limits, roundsThen, mostRounds, taskCaps, endedKey, refusal }
  }
}

type Start = BegunRun['start']

function taskRefusal(
  { snapshot: { task } }: Start,
  now: { enabled: boolean } | undefined,
): string | null {
  if (!task || now?.enabled) return null
  return `The task ${task.name} was ${now ? 'switched off' : 'deleted'}.`
}

/** Returns why a member could not start it with what was changed for this run alone; null = they could. */
function overrideRefusal(
  { actor, overridden = [] }: Start,
  allowed: readonly OverrideName[],
): string | null {
  const refused = overridden.filter((name) => !allowed.includes(name))
  if (actor.role === 'admin' || refused.length === 0) return null
  const names = new Intl.ListFormat('en').format(
    refused.map((name) => inSentence(overrideWords[name])),
  )
  return `Members may no longer change this for a single run: ${names}.`
}

/** A policy, or the reason why nobody knows what it would be, as a sentence. */
export type KnownPolicy = ReplayPolicy | { why: string }

export const unreadableRights = 'What is stored about its rights cannot be read.'
const roundsUnknown =
  'The history of its configuration does not say whether its rounds were set for this run alone.'
const tooManyStarts = 'Too many calls of tools with a limit started around it to count them.'

/** Returns the policy that a run would have if it began now. */
export function policyNow(
  run: BegunRun,
  facts: PolicyFacts,
  tools: ReadonlyMap<string, ExecutableTool>,
): KnownPolicy {
  const { state, starts, endedKey, refusal } = facts
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
  const subject = { ...rights, revoked: { ...revoked, run: revoked.run ?? endedKey ?? refusal } }
  return { subject, tools, snapshot, startsOf: starts }
}

/**
 * Returns the snapshot that the run would have if it began now: the rights and limits of its configuration and the zones of its
 * providers are those of now; model, prompt, parameters and what the person picked are those of then. Null: nobody knows
 * whether its person had set the rounds.
 */
function snapshotNow(run: BegunRun, facts: PolicyFacts): RunSnapshot | null {
  const { start } = run
  const { limits, taskCaps, state } = facts
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
  const own = then.costCaps.filter(({ scope }) => scope !== 'configuration' && scope !== 'task')
  return {
    ...then,
    targets,
    maxRounds,
    timeLimitMs: isChild ? Math.min(limits.timeLimitMs, childLimits.ms) : limits.timeLimitMs,
    costCaps: [...costCapsOf('configuration', limits), ...taskCaps, ...own],
    allowedToolGroups,
    allowedTools,
    // It was raised for the models of the configuration.
    raisedDataClass: isOtherModel
      ? lesser(then.raisedDataClass, now.raisedDataClass)
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
