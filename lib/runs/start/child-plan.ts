import 'server-only'
import { partialGrants } from '@/lib/domains/skills/shared/skill-names'
import type { EarlierTurn } from '@/lib/engines/runtime/deps'
import { carriedBy } from '@/lib/engines/runtime/earlier-turns'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import { className, dataLimit, isWithin, receives } from '@/lib/engines/runtime/policy/gates'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { ConflictError, ForbiddenError } from '@/lib/kernel/errors'
import { capsLeft } from '@/lib/protocol/cost/cost-caps'
import type { CostCap } from '@/lib/protocol/cost/money'
import { stricterAfterUntrusted } from '@/lib/protocol/flow'
import { childLimits, type StartedBy } from '@/lib/protocol/run/child-runs'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import type { DataClass, ToolMeta } from '@/lib/protocol/tool'

/**
 * A run whose call starts another one, as it is at that moment; its `subject` has what it read. `heldMicroUsd`: what those that it
 * started and that work now may still cost. `sharers`: how many of its calls are about to start one, with this one.
 */
export type ParentOfRun = {
  runId: string
  callId: string
  accessEpoch: number
  freezes: number
  state: RunState
  earlier: readonly EarlierTurn[]
  subject: Subject
  tools: ReadonlyMap<string, ToolMeta>
  heldMicroUsd: number
  sharers: number
}

/** Returns what the first event of a started run says of the run that started it. */
export function startedByOf({ runId, callId, subject }: ParentOfRun): StartedBy {
  return { runId, callId, ...(subject.untrustedReads.length > 0 && { untrusted: true }) }
}

/**
 * Returns the tools that a started run may be offered: those of the run that starts it, as the gates let it have them now,
 * and of these the `requested` ones (null = all). Never one that starts runs, nor one whose arguments the skills limit, because the
 * started run has other skills. Throws ForbiddenError with the names of others.
 */
export function childTools(
  { state, subject, tools }: Pick<ParentOfRun, 'state' | 'subject' | 'tools'>,
  requested: readonly string[] | null,
): string[] {
  const granted = subject.configuration?.grantedBySkills ?? null
  const has = (state.start?.accepted ?? []).flatMap(({ name }) => {
    const tool = tools.get(name)
    if (!tool || tool.startsRuns || partialGrants(granted, name)) return []
    return decideTool(tool, subject).allowed ? [name] : []
  })
  const unknown = (requested ?? []).filter((name) => !has.includes(name))
  if (unknown.length === 0) return has.filter((name) => requested?.includes(name) ?? true)
  const words = has.length === 0 ? 'It may have none.' : `It may have: ${has.join(', ')}.`
  throw new ForbiddenError(`The run may not have ${unknown.join(', ')}. ${words}`)
}

/**
 * Returns the snapshot of a started run with what holds for the run that starts it: nothing that the other one must ask
 * for starts here without asking (SPEC G-X). Throws ForbiddenError when a provider may not get what the other one has read.
 */
export function withParent(snapshot: RunSnapshot, parent: ParentOfRun): RunSnapshot {
  const { configuration, fourEyes } = parent.subject
  refuseCarried(snapshot, parent)
  return {
    ...snapshot,
    timeLimitMs: Math.min(snapshot.timeLimitMs, childLimits.ms),
    fourEyes: snapshot.fourEyes || fourEyes,
    afterUntrusted: stricterAfterUntrusted(
      snapshot.afterUntrusted ?? 'allow',
      configuration?.afterUntrusted ?? 'allow',
    ),
    startsNoRuns: 'run',
    ...(configuration && { startedFrom: configuration.id }),
  }
}

/**
 * Returns the cost caps of a started run: its own, and what those of the run that starts it have left. What an enforced one has left
 * beside those that work is shared with those that start now, so that all of them together keep to it. Throws ConflictError when
 * that is nothing.
 */
export function capsUnder(
  { costCaps }: RunSnapshot,
  { state, heldMicroUsd, sharers }: Pick<ParentOfRun, 'state' | 'heldMicroUsd' | 'sharers'>,
): CostCap[] {
  const left = capsLeft(state).map((cap) => {
    if (cap.mode !== 'enforce') return cap
    const free = Math.max(0, cap.limitMicroUsd - heldMicroUsd)
    return { ...cap, limitMicroUsd: Math.floor(free / sharers) }
  })
  if (left.some(({ mode, limitMicroUsd }) => mode === 'enforce' && limitMicroUsd === 0)) {
    const until = heldMicroUsd > 0 ? ' until one of those that work has ended' : ''
    throw new ConflictError(`The cost cap of this run leaves nothing for another one${until}.`)
  }
  return [...costCaps, ...left]
}

/** Throws ForbiddenError when a provider may not get what the model has read that wrote the prompt: it may be in there. */
function refuseCarried(
  { targets, raisedDataClass }: RunSnapshot,
  { state, earlier }: ParentOfRun,
): void {
  const carried = readBy(state, earlier)
  for (const { connectionName, trustZone } of targets) {
    const limit = dataLimit(trustZone, raisedDataClass)
    const refused = carried.find(({ dataClass }) => !isWithin(dataClass, limit))
    if (!refused) continue
    throw new ForbiddenError(
      `This run has read ${className(refused.dataClass)} data (${refused.name}), and ${receives(connectionName, trustZone, limit)}`,
    )
  }
}

/** Source that a model has read: a file, or the result of a tool of this name. */
type Read = { name: string; dataClass: DataClass }

/** Returns what the model of a run has read, with the turns before: what is no longer sent counts, too. */
export function readBy(state: RunState, earlier: readonly EarlierTurn[]): Read[] {
  const turns = [...earlier, { state, nativeOf: () => null }].map(({ state: turn, nativeOf }) => ({
    state: { ...turn, prunedThrough: 0, prunedTurns: 0 },
    nativeOf,
  }))
  const { files, results } = carriedBy(turns, { prunedTurns: 0 })
  return [...files, ...results]
}
