import { addCost, addUsage, emptyUsage } from '@/lib/protocol/cost/cost'
import type { Usage } from '@/lib/protocol/cost/money'
import {
  answeredRound,
  askedAgain,
  changeCall,
  changeCallState,
  changeRound,
  freshRound,
  hasAnswer,
  isNotStarted,
  isUndecided,
  type RoundNote,
  type RoundView,
  showDelta,
  unshown,
} from './round-view'
import { isDelta, type RunUpdate } from './run-delta'
import type { CopiedRounds, RunEvent, RunEventOf } from './run-event'

export type RunEnd = RunEventOf<'run-end'>['data'] & { at: number; notStarted: boolean }

/** The whole state of a run. The runtime, the live page, history and recovery read only this. */
export type RunState = {
  lastSeq: number
  startedAt: number | null
  start: RunEventOf<'run-start'>['data'] | null
  /** The rounds of another run that it goes on from; null = none. They stand among `rounds`, and cost nothing. */
  copied: Omit<CopiedRounds, 'events'> | null
  rounds: RoundView[]
  /** Notes that belong to no round, or to one that has not begun. */
  notes: RoundNote[]
  cancelRequested: RunEventOf<'cancel-requested'>['data'] | null
  /** The last choice about its own cost caps, and about that of its panel since it began; null = there was none. */
  costCapDecision: RunEventOf<'cost-cap-decision'>['data'] | null
  panelCapDecision: RunEventOf<'cost-cap-decision'>['data'] | null
  /**
   * Last noted cost of the other members of its panel, noted only when a cap of the panel was reached; null: unknown.
   */
  othersMicroUsd: number | null
  /** Last noted cost of the runs that its calls started; null: unknown. `costMicroUsd` does not contain it. */
  childrenMicroUsd: number | null
  prunedThrough: number
  /** Number of the oldest earlier turns that are no longer sent. */
  prunedTurns: number
  /** Set while calls wait for a person; that time is not the run's (SPEC R8). */
  waitingSince: number | null
  /** Milliseconds spent waiting so far, before the first round too, without a wait that is still going on. */
  waitedMs: number
  /** Part of that time before the first round, spent waiting for a place to begin. */
  waitedForPlaceMs: number
  usage: Usage
  costMicroUsd: number | null
  end: RunEnd | null
  /** When its cost was last recomputed, ms since 1970; null = it is the cost at the end of the run. */
  repricedAt: number | null
}

export const initialRunState: RunState = {
  lastSeq: 0,
  startedAt: null,
  start: null,
  copied: null,
  rounds: [],
  notes: [],
  cancelRequested: null,
  costCapDecision: null,
  panelCapDecision: null,
  othersMicroUsd: 0,
  childrenMicroUsd: 0,
  prunedThrough: 0,
  prunedTurns: 0,
  waitingSince: null,
  waitedMs: 0,
  waitedForPlaceMs: 0,
  usage: emptyUsage,
  costMicroUsd: 0,
  end: null,
  repricedAt: null,
}

export function foldRun(events: Iterable<RunUpdate>, from: RunState = initialRunState): RunState {
  let state = from
  for (const event of events) state = applyRunEvent(state, event)
  return state
}

/**
 * Returns the state after an event, or after a piece of an answer. Pure; shares everything that it does not change.
 * Ignores what it knows: events at or before `lastSeq`, and text before its length, so replays are harmless.
 */
export function applyRunEvent(state: RunState, event: RunUpdate): RunState {
  if (isDelta(event)) return showDelta(state, event)
  if (event.seq <= state.lastSeq) return state
  const next = reduce(state, event)
  if (next === state) return { ...state, lastSeq: event.seq }
  // Created by this event, so nothing else refers to it.
  next.lastSeq = event.seq
  return next
}

type Data<T extends RunEvent['type']> = RunEventOf<T>['data']

function reduce(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case 'run-start':
      return { ...state, start: event.data, startedAt: event.at }
    case 'copied':
      return copyRounds(state, event)
    case 'round-start':
      return startRound(state, event)
    case 'request-start':
      return changeRound(state, event.data.round, (r) => ({
        ...r,
        askedAt: event.at,
        requested: askedAgain(r, event.data),
        streamed: { start: event.seq, length: 0 },
      }))
    case 'model-retry':
      return retry(state, event.data, event.at)
    case 'model-fallback':
      return fallBack(state, event.data, event.at)
    case 'key-change':
      return addNote(state, event.data.round, { type: event.type, at: event.at, data: event.data })
    case 'request-lost':
      return loseRequest(state, event.data, event.at)
    case 'message':
      return finishResponse(state, event.data)
    case 'approval-request':
      return requestApproval(state, event.data, event.at)
    case 'approval-decision':
      return decideApproval(state, event.data, event.at)
    case 'call-start':
      return changeCallState(state, event.data, {
        type: 'running',
        startedAt: event.at,
        attempt: event.data.attempt,
        effect: event.data.effect,
        ...(event.data.before && { before: event.data.before }),
      })
    case 'call-end':
      return changeCallState(state, event.data, {
        type: 'ended',
        endedAt: event.at,
        durationMs: event.data.durationMs,
        verdict: event.data.verdict,
        outcome: event.data.outcome,
        ...(event.data.check && { check: event.data.check }),
      })
    case 'warning':
      return addWarning(state, event.data, event.at)
    case 'cost-cap-decision':
      return event.data.ofPanel
        ? { ...state, panelCapDecision: event.data }
        : { ...state, costCapDecision: event.data }
    case 'child-start': {
      const { runId: childRunId } = event.data
      return changeCall(state, event.data, (call) => ({ ...call, childRunId }))
    }
    case 'child-cost':
      return { ...state, childrenMicroUsd: event.data.microUsd }
    case 'panel-cost':
      return { ...state, othersMicroUsd: event.data.othersMicroUsd }
    case 'cancel-requested':
      return { ...state, cancelRequested: state.cancelRequested ?? event.data }
    case 'run-end':
      return state.end ? state : endRun(state, event.data, event.at)
    case 'repriced':
      return reprice(state, event.data, event.at)
    default:
      // An event of a later version, which this one does not know, changes nothing.
      event satisfies never
      return state
  }
}

/** Adds rounds of another run, without what they cost and what was approved for more than one call. */
function copyRounds(state: RunState, event: RunEvent & { type: 'copied' }): RunState {
  const { events, ...copied } = event.data
  const place = { runId: event.runId, seq: event.seq }
  const { rounds, notes, prunedThrough, prunedTurns } = events.reduce(
    (before, { at, body }) => reduce(before, { ...body, ...place, at }),
    state,
  )
  const marked = rounds.map((round) => copiedRound(round, copied))
  return { ...state, copied, rounds: marked, notes, prunedThrough, prunedTurns }
}

function copiedRound(round: RoundView, { runId, edits }: Omit<CopiedRounds, 'events'>): RoundView {
  const ofRound = edits.filter((edit) => edit.round === round.round)
  const answers = ofRound.filter(({ what }) => what === 'answer')
  const calls = round.calls.map((call) => {
    const edits = ofRound.filter(({ callId }) => callId === call.callId)
    return {
      ...call,
      approval: call.approval && { ...call.approval, once: false },
      ...(call.state.type !== 'ended' && { runsAnew: true as const }),
      ...(edits.length > 0 && { edits: edits.map(({ what, by }) => ({ what, by })) }),
    }
  })
  const editedBy = [...new Set(answers.map(({ by }) => by))]
  return { ...round, calls, copiedFrom: runId, ...(editedBy.length > 0 && { editedBy }) }
}

/** Returns the rounds that a run asked itself, without those that it goes on from. */
export function ownRounds({ rounds, copied }: Pick<RunState, 'rounds' | 'copied'>): RoundView[] {
  return copied === null ? rounds : rounds.filter(({ round }) => round > copied.round)
}

function endRun(state: RunState, data: Data<'run-end'>, at: number): RunState {
  const next = { ...withoutOpen(state), waitingSince: null, end: endOf(state, data, at) }
  return data.failedCall?.used ? spend(next, data.failedCall.used) : next
}

/** Returns the state without what was shown of an answer that never came. */
function withoutOpen(state: RunState): RunState {
  const open = state.rounds.at(-1)
  if (!open?.streamed) return state
  return changeRound(state, open.round, (r) => ({ ...r, ...unshown }))
}

/** Journals from before say `truncated` of runs that had no answer. */
function endOf(state: RunState, data: Data<'run-end'>, at: number): RunEnd {
  const notStarted = data.notStarted ?? isNotStarted(data.reason, ownRounds(state).length)
  return { ...data, at, notStarted, truncated: data.truncated && hasAnswer(ownRounds(state)) }
}

function reprice(state: RunState, data: Data<'repriced'>, at: number): RunState {
  let next = state
  for (const { round, costMicroUsd } of data.costs) {
    next = changeRound(next, round, (r) => ({
      ...r,
      response: r.response && { ...r.response, costMicroUsd },
    }))
  }
  const { costMicroUsd } = data
  return { ...next, costMicroUsd, end: next.end && { ...next.end, costMicroUsd }, repricedAt: at }
}

type RoundStart = RunEventOf<'round-start'> & Pick<RunEvent, 'seq' | 'at'>

function startRound(state: RunState, event: RoundStart): RunState {
  const isSame = ({ round }: { round: number | null }) => round === event.data.round
  const isOfIt = (note: RoundNote) => isSame(note.data)
  const known = state.rounds.find(isSame)?.notes ?? []
  const fresh = freshRound(event, [...known, ...state.notes.filter(isOfIt)])
  const rounds = [...state.rounds.filter((r) => !isSame(r)), fresh]
  const notes = state.notes.filter((note) => !isOfIt(note))
  // The time before the first round was spent waiting to begin.
  const begins = ownRounds(state).length === 0 && state.startedAt !== null
  if (!begins) return { ...state, rounds, notes }
  const waitedForPlaceMs = Math.max(0, event.at - (state.startedAt ?? 0))
  return { ...state, rounds, notes, waitedMs: waitedForPlaceMs, waitedForPlaceMs }
}

function finishResponse(state: RunState, data: Data<'message'>): RunState {
  return spend(
    changeRound(state, data.round, (r) => answeredRound(r, data)),
    data,
  )
}

type Spent = Pick<Data<'message'>, 'usage' | 'costMicroUsd'>

function spend(state: RunState, { usage, costMicroUsd }: Spent): RunState {
  return {
    ...state,
    usage: addUsage(state.usage, usage),
    costMicroUsd: addCost(state.costMicroUsd, costMicroUsd),
  }
}

/** Counts what a try used and begins the next request. Old journals count them together. */
function retry(state: RunState, data: Data<'model-retry'>, at: number): RunState {
  const used = data.failedCall?.used
  const next = addNote(state, data.round, { type: 'retry', at, data }, data.failedCall && unshown)
  return used ? spend(next, used) : next
}

function addNote(
  state: RunState,
  round: number,
  note: RoundNote,
  also: Partial<RoundView> = {},
): RunState {
  return changeRound(state, round, (r) => ({ ...r, ...also, notes: [...r.notes, note] }))
}

/** Moves to the next model. A model that is too small for the conversation is skipped before its round begins. */
function fallBack(state: RunState, data: Data<'model-fallback'>, at: number): RunState {
  const note: RoundNote = { type: 'fallback', at, data }
  if (!state.rounds.some((r) => r.round === data.round)) {
    return { ...state, notes: [...state.notes, note] }
  }
  const next = addNote(state, data.round, note, { ...unshown, target: data.to })
  return data.failedCall?.used ? spend(next, data.failedCall.used) : next
}

function loseRequest(state: RunState, data: Data<'request-lost'>, at: number): RunState {
  return spend(addNote(state, data.round, { type: 'lost', at, data }, unshown), data)
}

function addWarning(state: RunState, data: Data<'warning'>, at: number): RunState {
  const note: RoundNote = { type: 'warning', at, data }
  const next =
    data.round === null
      ? { ...state, notes: [...state.notes, note] }
      : addNote(state, data.round, note)
  const prunedThrough = Math.max(state.prunedThrough, data.prunedThrough ?? 0)
  const prunedTurns = Math.max(state.prunedTurns, data.prunedTurns ?? 0)
  return { ...next, prunedThrough, prunedTurns }
}

function requestApproval(state: RunState, data: Data<'approval-request'>, at: number): RunState {
  const { approvalId, ruleId, ruleName, once = false, fourEyesRule = null } = data
  const { argumentsHash, expiresAt, preview } = data
  const rule = { ruleId, ruleName, once, fourEyesRule, ...(preview && { preview }) }
  const approval = { approvalId, ...rule, argumentsHash, requestedAt: at, expiresAt }
  const next = changeCall(state, data, (call) => ({
    ...call,
    approval: { ...approval, decision: null },
  }))
  return { ...next, waitingSince: state.waitingSince ?? at }
}

/** Applies a decision. The run stops waiting when the last waiting call of the round has its decision. */
function decideApproval(state: RunState, data: Data<'approval-decision'>, at: number): RunState {
  const next = changeCall(state, data, (call) => {
    if (!call.approval || call.approval.decision) return call
    return { ...call, approval: { ...call.approval, decision: { ...data.decision, at } } }
  })
  const { waitingSince } = next
  if (waitingSince === null || next.rounds.at(-1)?.calls.some(isUndecided)) return next
  return { ...next, waitingSince: null, waitedMs: next.waitedMs + Math.max(0, at - waitingSince) }
}
