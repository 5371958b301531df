import 'server-only'
import { freezeSentence, readFreeze } from '@/lib/domains/settings/read-freeze'
import { type EarlierTurn, planOffer, type RunInput, runStart } from '@/lib/engines/runtime/deps'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { parentReads, promptReads } from '@/lib/engines/runtime/policy/untrusted-reads'
import { startOf } from '@/lib/engines/runtime/run-step'
import type { Tx } from '@/lib/kernel/db'
import { ForbiddenError } from '@/lib/kernel/errors'
import { newId } from '@/lib/kernel/new-id'
import type { CheckOfRun } from '@/lib/protocol/check/check'
import { costOfTurns } from '@/lib/protocol/cost/cost-caps'
import type { ToolMeta } from '@/lib/protocol/tool'
import {
  readsOf,
  refuseCarried,
  refuseCostly,
  requireTurns,
  type StoredTurn,
} from '@/lib/runs/conversations/earlier-turns'
import { readRunFiles } from '@/lib/runs/files/read-run-files'
import type { ForkOfRun } from '@/lib/runs/fork/copied-rounds'
import type { RunRequest } from '@/lib/runs/schemas'
import { startedByOf } from './child-plan'
import type { Planned } from './insert-run'
import { readPromptMemory } from './prompt-memory'
import type { DecidedDraft, PlanStep, RunDraft } from './run-draft'
import { editorsOf, startersOf } from './starters'
import { readTools } from './versioned'

/** Reads the policy for a draft whose snapshot is complete. Throws ForbiddenError when nothing may start. */
export async function decide(draft: RunDraft): Promise<DecidedDraft> {
  const { context, ctx, input, snapshot, client, from } = draft
  const question = {
    userId: ctx.actor.userId,
    apiKeyId: ctx.apiKeyId ?? null,
    freezes: input.parent?.freezes ?? null,
    snapshot,
    selected: input.tools,
  }
  const policy = await context.policy.read(question, from)
  const { frozen, revoked } = policy.subject
  if (frozen) await refuseFrozen(client, frozen)
  // The caller's role and memberships were read before.
  if (revoked.run !== null) throw new ForbiddenError(revoked.run)
  return {
    ...draft,
    policy,
    turns: [],
    turnBefore: undefined,
    files: [],
    tools: new Map(),
    memory: undefined,
  }
}

/** Throws ForbiddenError. A freeze that was lifted still stops what a run from before it wants to start (SPEC G-Z). */
async function refuseFrozen(tx: Tx, { by }: NonNullable<Subject['frozen']>): Promise<never> {
  const freeze = await readFreeze(tx)
  throw new ForbiddenError(
    freeze
      ? `${freezeSentence(freeze)} No run can start until an admin unfreezes it.`
      : `${by} froze this site after the run that starts this one had begun.`,
  )
}

/** Adds what the prompt carries, and refuses what its models may not get. */
export const policySteps: readonly PlanStep<DecidedDraft>[] = [
  addTurns,
  keepGrantsAndStarters,
  refuseCarriedWords,
  addFiles,
  addToolsAndMemory,
]

/** Adds the turns that the run continues; none when it continues none. */
async function addTurns(draft: DecidedDraft): Promise<DecidedDraft> {
  const { context, client, ctx, input } = draft
  if (input.continues === null) return draft
  const memory = context.turns
  const turns = await requireTurns(client, ctx, { memory, runId: input.continues })
  return { ...draft, turns, turnBefore: lastOf(turns) }
}

function lastOf(turns: readonly StoredTurn[]): RunInput['turnBefore'] {
  const last = turns.at(-1)
  if (!last?.state.start) return undefined
  const cost = costOfTurns(turns.map(({ state }) => state))
  return { runId: last.runId, start: last.state.start, cost }
}

function keepGrantsAndStarters(draft: DecidedDraft): DecidedDraft {
  const { ctx, input, policy } = draft
  const before = { ...draft, parent: input.parent }
  const editors = [...(input.fork?.editors ?? []), ...(input.check?.editors ?? [])]
  const people = { ...startersOf(ctx, before), ...editorsOf(editors, before) }
  const grantedBySkills = grantedBy(policy.subject)
  return { ...draft, snapshot: { ...draft.snapshot, grantedBySkills, ...people } }
}

/** Returns the tools that the skills grant now; the run keeps them. */
function grantedBy({ configuration }: Subject): string[] | null {
  const granted = configuration?.grantedBySkills
  return granted ? [...granted].sort() : null
}

/** Throws ValidationError when a model may not get what the prompt carries, or when the turns before used up a cost cap. */
function refuseCarriedWords(draft: DecidedDraft): DecidedDraft {
  const { turns, turnBefore, snapshot, input } = draft
  refuseCarried(turns, snapshot)
  const carried = input.panel?.carried ?? []
  // The words of a panel are in the prompt, which goes to whichever model of the chain is requested.
  const copied = input.fork ? [turnOf(input.fork)] : []
  const judged = input.judge ? [input.judge.judged] : []
  for (const target of snapshot.targets)
    refuseCarried([...carried, ...copied, ...judged], { ...snapshot, targets: [target] })
  if (turnBefore) refuseCostly(turnBefore.cost, snapshot)
  return draft
}

/** Returns the run that another goes on from as a turn before it: its words and results are sent, too. */
function turnOf({ state }: ForkOfRun): EarlierTurn {
  return { state, nativeOf: () => null }
}

async function addFiles(draft: DecidedDraft): Promise<DecidedDraft> {
  const { client, ctx, input, snapshot } = draft
  const checkId = input.check?.facts.checkId
  return { ...draft, files: await readRunFiles(client, ctx, input.files, snapshot, checkId) }
}

/** Adds the tools of the installation, and the notes of its person unless an earlier turn has them. */
async function addToolsAndMemory(draft: DecidedDraft): Promise<DecidedDraft> {
  const { context, client, ctx, version, snapshot, turns, policy } = draft
  const tools = await readTools(context, version, client)
  if (turns.some(({ state }) => state.start?.memory?.type === 'read')) return { ...draft, tools }
  const { subject } = policy
  const beginning = { userId: ctx.actor.userId, snapshot, tools, subject }
  return { ...draft, tools, memory: await readPromptMemory(client, beginning) }
}

/** Decides which tools a run is offered, and returns it as it is stored. */
export function toPlanned(draft: DecidedDraft): Planned {
  const { ctx, input, policy, createdAt, snapshot, variables, maxRounds, limits } = draft
  const request: RunRequest = { kind: 'prompt', tools: input.tools, maxRounds, variables }
  const { accessEpoch, freezes } = input.parent ?? policy
  const start = firstEventOf(draft)
  const copied = (input.fork ?? input.check)?.copied
  return {
    run: {
      runId: newId(),
      userId: ctx.actor.userId,
      apiKeyId: ctx.apiKeyId ?? null,
      accessEpoch,
      freezes,
      request,
      createdAt,
      start,
      ...(copied && { copied: { type: 'copied', data: copied } }),
    },
    conversationId: draft.turns[0]?.runId ?? null,
    snapshot,
    after: auditOf(draft),
    limits,
    policyVersion: olderOf(draft.version, policy.version),
    nativeRounds: input.fork?.nativeRounds ?? [],
  }
}

/** Returns the first event of the run. */
function firstEventOf(draft: DecidedDraft): Planned['run']['start'] {
  const { ctx, input, policy, turns, tools, memory } = draft
  const reads = readsOf(input.panel?.carried ?? [], tools)
  const { fork } = input
  const parent = input.parent && startedByOf(input.parent)
  const untrustedReads = [
    ...promptReads(memory),
    ...parentReads(parent),
    ...readsOf(fork ? [...turns, turnOf(fork)] : turns, tools),
    ...reads,
  ]
  const offer = planOffer(tools, { ...policy.subject, untrustedReads })
  const { prompt, turnBefore, files, snapshot, overridden } = draft
  const run: RunInput = {
    prompt,
    turnBefore,
    panel: input.panel && { ...input.panel, reads },
    parent,
    files,
    memory,
    actor: ctx.actor,
    snapshot,
    overridden,
    changedFrom: input.changedFrom ?? undefined,
    check: input.check && withLiveReads(input.check.facts, offer.accepted),
    judgeOf: input.judge,
    forkOf: fork && { facts: fork.facts, fence: startOf(fork.state) },
  }
  return runStart(run, offer, newId)
}

/**
 * Returns the facts of a check with its sources: in live mode, tools that only read are called unless it says otherwise; else none is
 * called.
 */
function withLiveReads(facts: CheckOfRun, tools: readonly ToolMeta[]): CheckOfRun {
  if (facts.mode !== 'live') {
    const kept = Object.entries(facts.sources).filter(([, { type }]) => type !== 'live')
    return { ...facts, sources: Object.fromEntries(kept) }
  }
  const reads = tools.filter(({ effect }) => effect === 'read')
  const live = reads.map(({ name }) => [name, { type: 'live' as const }])
  return { ...facts, sources: { ...Object.fromEntries(live), ...facts.sources } }
}

/** Returns what the audit keeps of the start. */
function auditOf({
  input,
  snapshot,
  turnBefore,
  files,
  maxRounds,
  ...draft
}: DecidedDraft): object {
  const { panel, parent, changedFrom, costCap, outputSchema, fork, check, judge } = input
  return {
    configuration: snapshot.configurationIdentifier,
    ...(snapshot.task && { task: snapshot.task.identifier }),
    tools: input.tools,
    ...(turnBefore && { continues: turnBefore.runId }),
    ...(panel && { panel: panel.panelId }),
    ...(parent && { startedBy: parent.runId }),
    ...(changedFrom && { changedFrom }),
    ...(fork && auditOfFork(fork)),
    ...(check && { check: check.facts.name, mode: check.facts.mode }),
    ...(judge && { judges: judge.facts.runId, check: judge.facts.name }),
    ...draft.auditedOverrides,
    ...(files.length > 0 && { files: files.map(({ name, dataClass }) => ({ name, dataClass })) }),
    maxRounds,
    ...(costCap && { costCap }),
    ...(outputSchema && { outputSchema }),
  }
}

function auditOfFork({ facts, edit }: ForkOfRun): object {
  const { round, sources } = facts
  const kinds = Object.entries(sources).map(([name, { type }]) => [name, type])
  return { round, ...(edit && { edited: edit.type }), sources: Object.fromEntries(kinds) }
}

/** Returns the older of two versions: what was read under different ones is not proven by the newer. */
function olderOf(one: string, other: string): string {
  return BigInt(one) < BigInt(other) ? one : other
}
