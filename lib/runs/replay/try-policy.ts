import 'server-only'
import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import { type Decided, differencesOf, RunPlace } from '@/lib/engines/runtime/replay/differences'
import { type ReplayPolicy, replayRun } from '@/lib/engines/runtime/replay/replay-run'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { ConflictError } from '@/lib/kernel/errors'
import { GateName } from '@/lib/protocol/tool'
import { openTurnMemory, type TurnMemory } from '@/lib/runs/conversations/earlier-turns'
import { limitsWithDraft, PolicyDraft, withDraft } from '@/lib/toolset/policy/policy-draft'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { firstWords } from '@/lib/words/clean-text'
import { type PolicyFacts, policyNow, readPolicyFacts } from './policy-now'
import { isReplayable, readStoredRuns, type StoredRun } from './stored-runs'

/** The most runs that one trial replays, and the most that it lists. */
export const trialLimits = { runs: 10_000, listed: 100, bytes: 2 * 1024 * 1024 } as const
/** Runs whose journals are in memory at once. */
const atOnce = 20

export const TrialInput = z.object({
  draft: PolicyDraft,
  days: z.int().min(1, 'At least one day.').max(365, 'At most a year.').default(30),
  /** Id of the configuration of the runs; null = any. */
  configuration: z.uuid().nullable().default(null),
  /** Id of a group whose members started the runs; null = anybody. */
  group: z.uuid().nullable().default(null),
  mostRuns: z.int().min(1).max(trialLimits.runs).default(trialLimits.runs),
})
export type TrialInput = z.input<typeof TrialInput>

/**
 * A run that the draft would change, with the first thing in it: as it was, as it would be today, and with the draft, in
 * sentences. `createdAt` is ISO text in UTC.
 */
const ChangedRun = z.object({
  runId: z.string(),
  prompt: z.string(),
  createdAt: z.string(),
  place: RunPlace,
  was: z.string(),
  today: z.string(),
  draft: z.string(),
  gate: GateName.nullable(),
})
type ChangedRun = z.infer<typeof ChangedRun>

/**
 * Outcome of a trial. `found`: runs that fit; `replayed`: the newest of them, without those that cannot be replayed.
 * `changed`: those that the draft would change, of which `runs` lists the newest. `changedToday`: those that would go otherwise
 * today, without the draft. `baseline`: changed runs that differ when today's policy is replayed twice; it has to be 0.
 */
export const PolicyTrial = z.object({
  found: z.int(),
  replayed: z.int(),
  changed: z.int(),
  changedToday: z.int(),
  baseline: z.int(),
  unreplayable: z.array(z.object({ why: z.string(), count: z.int() })),
  runs: z.array(ChangedRun),
})
export type PolicyTrial = z.infer<typeof PolicyTrial>

export const tryPolicy = verb({
  name: 'policy.try',
  role: 'admin',
  scope: 'runs:read',
  moreScopes: ['tools:read', 'approval-rules:read', 'configurations:read'],
  summary:
    'Replays the runs of some days with the policy of today and with a draft of it, and returns which the draft would change. Nothing is called or stored.',
  input: TrialInput,
  output: PolicyTrial,
  transaction: false,
  run: ({ ctx }, input) => runTrial(ctx, input),
})

type Watch = { signal?: AbortSignal; onProgress?: (replayed: number, of: number) => void }

let isBusy = false

/**
 * Does the work of `tryPolicy`. Throws ConflictError while another trial is worked on; rejects with the reason of `signal` when
 * that aborts.
 */
export async function runTrial(
  ctx: Ctx,
  input: z.output<typeof TrialInput>,
  watch: Watch = {},
): Promise<PolicyTrial> {
  requireRole(ctx, 'admin')
  if (isBusy) throw new ConflictError('Another draft is being tried. Wait for its end.')
  isBusy = true
  try {
    return await replayAll(input, watch)
  } finally {
    isBusy = false
  }
}

async function replayAll(
  input: z.output<typeof TrialInput>,
  { signal, onProgress }: Watch,
): Promise<PolicyTrial> {
  const ids = await readIds(input)
  const tools = await loadToolset(db())
  const turns = openTurnMemory()
  const tally = openTally()
  for (let from = 0; from < ids.length; from += atOnce) {
    signal?.throwIfAborted()
    onProgress?.(from, ids.length)
    await replaySome(ids.slice(from, from + atOnce), { draft: input.draft, tools, turns, tally })
  }
  return { found: ids.length, ...tally.result() }
}

/** Returns the runs that have ended and fit, the newest first. */
async function readIds({ days, configuration, group, mostRuns }: z.output<typeof TrialInput>) {
  const members =
    group === null ? null : await db().groupMember.findMany({ where: { groupId: group } })
  const rows = await db().run.findMany({
    where: {
      status: 'ended',
      createdAt: { gte: new Date(Date.now() - days * 86_400_000) },
      ...(configuration && { configurationId: configuration }),
      ...(members && { userId: { in: members.map(({ userId }) => userId) } }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: mostRuns,
    select: { id: true },
  })
  return rows.map(({ id }) => id)
}

type Trying = {
  draft: PolicyDraft
  tools: Awaited<ReturnType<typeof loadToolset>>
  turns: TurnMemory
  tally: Tally
}

async function replaySome(ids: readonly string[], { draft, tools, turns, tally }: Trying) {
  const stored = await readStoredRuns(db(), ids, { turns, mostBytes: trialLimits.bytes })
  const runs = stored.filter(isReplayable)
  for (const run of stored) if (!isReplayable(run)) tally.leaveOut(run.why)
  if (runs.length === 0) return
  const limited = draft.toolLimits.map(({ name }) => name)
  const facts = await readPolicyFacts(db(), runs, limited)
  for (const [index, run] of runs.entries()) {
    const now = facts[index]
    if (!now) throw new Error('The policy has no answer for a run.')
    const today = policyNow(run, now, tools)
    const drafted = policyNow(run, draftedFacts(run, now, { draft, tools }), tools)
    if ('why' in today) tally.leaveOut(today.why)
    else if ('why' in drafted) tally.leaveOut(drafted.why)
    else await compare(run, { today, drafted }, tally)
  }
}

function draftedFacts(
  { start: { snapshot } }: StoredRun,
  facts: PolicyFacts,
  { draft, tools }: Pick<Trying, 'draft' | 'tools'>,
): PolicyFacts {
  const { configurationId } = snapshot
  const { state, limits } = facts
  return {
    ...facts,
    state: withDraft(state, draft, { configurationId, tools: tools.values() }),
    limits: limits && limitsWithDraft(limits, draft, configurationId),
  }
}

type Policies = { today: ReplayPolicy; drafted: ReplayPolicy }

/** Replays a run with both policies, and counts it. */
async function compare(run: StoredRun, { today, drafted }: Policies, tally: Tally): Promise<void> {
  const { before, after } = await replayRun(run.recorded, today)
  const other = (await replayRun(run.recorded, drafted)).after
  const isOther = differencesOf(before, after).length > 0
  const decided = after.findIndex(({ key }, place) => other[place]?.key !== key)
  const index =
    decided === -1 ? after.findIndex(({ noted }, place) => other[place]?.noted !== noted) : decided
  const [was, now, then] = [before[index], after[index], other[index]]
  if (!was || !now || !then) return tally.count({ isOther })
  const again = (await replayRun(run.recorded, today)).after
  const { runId, start, createdAt } = run
  tally.count({
    isOther,
    isUnsteady: differencesOf(after, again).length > 0,
    changed: {
      runId,
      prompt: firstWords(start.prompt),
      createdAt: createdAt.toISOString(),
      place: was.place,
      was: wordsOf(was),
      today: wordsOf(now),
      draft: wordsOf(then),
      gate: then.gate ?? now.gate,
    },
  })
}

function wordsOf({ words, noted }: Decided): string {
  return noted ? `${words} ${noted}` : words
}

type Counted = { isOther: boolean; isUnsteady?: boolean; changed?: ChangedRun }
type Tally = ReturnType<typeof openTally>

function openTally() {
  const leftOut = new Map<string, number>()
  const runs: ChangedRun[] = []
  const counts = { replayed: 0, changed: 0, changedToday: 0, baseline: 0 }
  return {
    leaveOut: (why: string) => void leftOut.set(why, (leftOut.get(why) ?? 0) + 1),
    count: ({ isOther, isUnsteady = false, changed }: Counted): void => {
      counts.replayed++
      if (isOther) counts.changedToday++
      if (isUnsteady) counts.baseline++
      if (!changed) return
      counts.changed++
      if (runs.length < trialLimits.listed) runs.push(changed)
    },
    result: () => ({
      ...counts,
      unreplayable: [...leftOut].map(([why, count]) => ({ why, count })),
      runs,
    }),
  }
}
