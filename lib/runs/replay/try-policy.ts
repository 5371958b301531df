import 'server-only'
import { z } from 'zod'
import { isLimitedKey } from '@/lib/domains/rows/runs-within-key'
import { type Decided, differencesOf } from '@/lib/engines/runtime/replay/differences'
import { type ReplayPolicy, replayRun } from '@/lib/engines/runtime/replay/replay-run'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { ConflictError } from '@/lib/kernel/errors'
import { log } from '@/lib/kernel/log'
import { openTurnMemory, type TurnMemory } from '@/lib/runs/conversations/earlier-turns'
import { visibleRuns } from '@/lib/runs/require-run'
import { readDraftGroups } from '@/lib/toolset/policy/draft-groups'
import { lostWithDraft } from '@/lib/toolset/policy/keep-ways-out'
import {
  type DraftGroup,
  limitsWithDraft,
  PolicyDraft,
  withDraft,
} from '@/lib/toolset/policy/policy-draft'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { firstWords } from '@/lib/words/clean-text'
import { checkedDraft } from './checked-draft'
import { type PolicyFacts, policyNow, readPolicyFacts, unreadableRights } from './policy-now'
import {
  isReplayable,
  portionsOf,
  readSizes,
  readStoredRuns,
  type Sizes,
  type StoredRun,
} from './stored-runs'
import type { ChangedRun, PolicyTrial } from './trial-shape'

/** The most runs that one trial replays, and the most that it lists. */
const trialLimits = { runs: 10_000, listed: 100, bytes: 2 * 1024 * 1024 } as const
/** The newest runs that a page tries a change on. */
export const runsOfPage = 1_000
/** The most runs that are in memory at once, where they are short. */
const atOnce = 20
const mostBytes = trialLimits.bytes

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

export type Watch = { signal?: AbortSignal; onProgress?: (done: number, of: number) => void }

let isBusy = false

/**
 * Replays runs with today's policy and with a draft of it. Admins only; a limited key sees the runs within its limits. Throws
 * ValidationError for a draft that could not be stored, ConflictError while another trial is worked on, and rejects with the
 * reason of `signal` when that aborts.
 */
export async function runTrial(
  ctx: Ctx,
  input: z.output<typeof TrialInput>,
  watch: Watch = {},
): Promise<PolicyTrial> {
  requireRole(ctx, 'admin')
  if (isBusy) throw new ConflictError('Another change is being tested. Wait for its end.')
  isBusy = true
  try {
    return await replayAll(ctx, input, watch)
  } finally {
    isBusy = false
  }
}

async function replayAll(
  ctx: Ctx,
  input: z.output<typeof TrialInput>,
  { signal, onProgress }: Watch,
): Promise<PolicyTrial> {
  const draft = await checkedDraft(db(), input)
  const { found, ids } = await findIds(ctx, input)
  const tools = await loadToolset(db())
  const groups = await readDraftGroups(db(), draft)
  const trying = { draft, tools, groups, turns: openTurnMemory(), tally: openTally() }
  for (let from = 0; from < ids.length; from += atOnce) {
    signal?.throwIfAborted()
    onProgress?.(from, ids.length)
    await replaySome(ids.slice(from, from + atOnce), trying)
  }
  signal?.throwIfAborted()
  return { found, ...trying.tally.result(), waysOut: await lostFor(ctx, draft) }
}

/** Returns what nobody could approve any more; a limited key, which may not see all people and configurations, is told no names. */
async function lostFor(ctx: Ctx, draft: PolicyDraft): Promise<string[]> {
  const lost = await lostWithDraft(db(), draft)
  if (lost.length === 0 || !isLimitedKey(ctx)) return lost
  return ['Nobody could approve some calls any more. A key without limits is told which.']
}

/** Runs that are counted, of which the newest are replayed. */
const mostCounted = 100_000

/** Returns the runs that have ended and fit, the newest first. */
async function findIds(
  ctx: Ctx,
  { days, configuration, group, mostRuns }: z.output<typeof TrialInput>,
) {
  const members =
    group === null ? null : await db().groupMember.findMany({ where: { groupId: group } })
  const where = {
    AND: [visibleRuns(ctx)],
    status: 'ended' as const,
    source: { not: 'try' },
    createdAt: { gte: new Date(Date.now() - days * 86_400_000) },
    ...(configuration && { configurationId: configuration }),
    ...(members && { userId: { in: members.map(({ userId }) => userId) } }),
  }
  const rows = await db().run.findMany({
    where,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: mostRuns,
    select: { id: true },
  })
  const found = await db().run.count({ where, take: mostCounted })
  return { found, ids: rows.map(({ id }) => id) }
}

type Trying = {
  draft: PolicyDraft
  tools: Awaited<ReturnType<typeof loadToolset>>
  groups: ReadonlyMap<string, DraftGroup>
  turns: TurnMemory
  tally: Tally
}

async function replaySome(ids: readonly string[], trying: Trying): Promise<void> {
  const sizes = await readSizes(db(), ids)
  for (const portion of portionsOf(ids, { sizes, mostBytes }))
    await replayPortion(portion, sizes, trying)
}

async function replayPortion(ids: readonly string[], sizes: Sizes, trying: Trying): Promise<void> {
  const { draft, tools, turns, tally } = trying
  const stored = await readStoredRuns(db(), ids, { turns, sizes, mostBytes })
  const runs = stored.filter(isReplayable)
  for (const run of stored) if (!isReplayable(run)) tally.leaveOut(run.why)
  if (runs.length === 0) return
  const limited = draft.toolLimits.map(({ name }) => name)
  const facts = await readPolicyFacts(db(), runs, limited)
  for (const [index, run] of runs.entries()) {
    const read = facts[index]
    if (!read) {
      tally.leaveOut(unreadableRights)
      continue
    }
    // Most keys end by and by, and what they started tells of the draft all the same.
    const now = { ...read, endedKey: null }
    const today = policyNow(run, now, tools)
    const drafted = policyNow(run, draftedFacts(run, now, trying), tools)
    if ('why' in today) tally.leaveOut(today.why)
    else if ('why' in drafted) tally.leaveOut(drafted.why)
    else await compareOrLeaveOut(run, { today, drafted }, tally)
  }
}

function draftedFacts(
  { start: { snapshot } }: StoredRun,
  facts: PolicyFacts,
  { draft, tools, groups }: Trying,
): PolicyFacts {
  const { configurationId } = snapshot
  const { state, limits } = facts
  const context = { configurationId, tools: tools.values(), groups }
  return {
    ...facts,
    state: withDraft(state, draft, context),
    limits: limits && limitsWithDraft(limits, draft, configurationId),
  }
}

type Policies = { today: ReplayPolicy; drafted: ReplayPolicy }

/** Compares, and leaves out a run of which the policy cannot be asked: the others are compared all the same. */
async function compareOrLeaveOut(run: StoredRun, policies: Policies, tally: Tally): Promise<void> {
  try {
    await compare(run, policies, tally)
  } catch (error) {
    log.error({ source: 'replay', runId: run.runId, error: String(error) }, 'A replay failed')
    tally.leaveOut('A gate could not be asked; the server log says why.')
  }
}

/** Replays a run with both policies, and counts it. */
async function compare(run: StoredRun, { today, drafted }: Policies, tally: Tally): Promise<void> {
  const { before, after } = await replayRun(run.recorded, today)
  const other = (await replayRun(run.recorded, drafted)).after
  const isOther = differencesOf(before, after).length > 0
  const decided = after.findIndex(({ key }, place) => other[place]?.key !== key)
  const isNoted = decided === -1
  const index = isNoted
    ? after.findIndex(({ noted }, place) => other[place]?.noted !== noted)
    : decided
  const [was, now, then] = [before[index], after[index], other[index]]
  if (!was || !now || !then) return tally.count({ isOther })
  const again = (await replayRun(run.recorded, today)).after
  const { runId, start, createdAt } = run
  tally.count({
    isOther,
    isNoted,
    isUnsteady: differencesOf(after, again).length > 0,
    listed: {
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

type Counted = { isOther: boolean; isNoted?: boolean; isUnsteady?: boolean; listed?: ChangedRun }
type Tally = ReturnType<typeof openTally>

function openTally() {
  const leftOut = new Map<string, number>()
  const runs: ChangedRun[] = []
  const counts = { replayed: 0, changed: 0, noted: 0, changedToday: 0, baseline: 0 }
  return {
    leaveOut: (why: string) => void leftOut.set(why, (leftOut.get(why) ?? 0) + 1),
    count: ({ isOther, isNoted = false, isUnsteady = false, listed }: Counted): void => {
      counts.replayed++
      if (isOther) counts.changedToday++
      if (isUnsteady) counts.baseline++
      if (!listed) return
      if (isNoted) counts.noted++
      else counts.changed++
      if (runs.length < trialLimits.listed) runs.push(listed)
    },
    result: () => ({
      ...counts,
      unreplayable: [...leftOut].map(([why, count]) => ({ why, count })),
      runs,
    }),
  }
}
