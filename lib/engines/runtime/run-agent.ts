import { decisionOn, reachedCaps, spentMicroUsd, spentUnder } from '@/lib/protocol/cost/cost-caps'
import type { CapDecision } from '@/lib/protocol/cost/money'
import { applyRunEvent, initialRunState, type RunState } from '@/lib/protocol/run/fold-run'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { because } from '@/lib/words/format'
import { modelTurn } from './ask/model-turn'
import { collectDecisions } from './call/approvals'
import { callRound } from './call/call-round'
import {
  HandoverError,
  JournalLostError,
  type Offer,
  orJournalLost,
  planOffer,
  type RunDeps,
  type RunInput,
  reportIncident,
  runStart,
} from './deps'
import { nextStep, type Step } from './next-step'
import { endRun, openRunStep, type RunStep, type StepStop, startOf } from './run-step'
import { lostRequest, mayHaveLost, recordLostRequest } from './spend/usage-of'
import { warnOfReached } from './spend/warn-of-cost-caps'

/**
 * Works on one prompt until the run ends and resolves with the folded journal, with the same steps as the durable
 * engine. `deps.readDecisions` may take its time here: what it leaves undecided counts as expired. Rejects only as
 * `advance` does.
 */
export async function runAgent(input: RunInput, deps: RunDeps): Promise<RunState> {
  const start = runStart(input, await askedTools(deps), deps.newId)
  let state = applyRunEvent(initialRunState, deps.journal.append(start))
  const answered = { ...deps, readDecisions: expiring(deps) }
  while (!state.end) state = await advance(state, answered, always)
  return state
}

const always = () => true

function expiring(deps: RunDeps): RunDeps['readDecisions'] {
  return async (waiting, signal) => {
    const given = await deps.readDecisions(waiting, signal).catch((error: unknown) => {
      reportIncident(deps, error)
      return []
    })
    const answered = new Set(given.map(({ approvalId }) => approvalId))
    const left = waiting.flatMap(({ approval }) => (approval ? [approval.approvalId] : []))
    const expired = left.filter((approvalId) => !answered.has(approvalId))
    return [
      ...given,
      ...expired.map((approvalId) => ({ approvalId, decision: { type: 'expired' as const } })),
    ]
  }
}

async function askedTools(deps: RunDeps): Promise<Offer<ExecutableTool>> {
  try {
    return planOffer(deps.tools, await deps.loadSubject())
  } catch (error) {
    reportIncident(deps, error)
    return { accepted: [], rejected: [] }
  }
}

/**
 * Takes the step that `nextStep` returns, appends its events and resolves with the new state; and the steps after it,
 * until people decide, as long as `goesOn` says so of the state between two. The end of a run, and a wait for people,
 * are durable then; other events are with the next start.
 * Any error inside ends the run (SPEC R16), with two exceptions that write nothing: rejects with `JournalLostError`
 * when the journal has another writer, and with `HandoverError` when the run was handed over.
 */
export async function advance(
  state: RunState,
  deps: RunDeps,
  goesOn: (state: RunState) => boolean = () => false,
): Promise<RunState> {
  if (state.end) return state
  const step = openRunStep(state, deps)
  try {
    let next = nextStep(state)
    let hasWaited = false
    do {
      hasWaited = next.type === 'wait'
      await takeStep(step, next)
      next = nextStep(step.state())
      // The time limit stands still while people decide, and a step that waited measures none of it.
    } while (!hasWaited && isWork(next) && goesOn(step.state()))
  } catch (error) {
    if (error instanceof JournalLostError || error instanceof HandoverError) throw error
    const incidentId = reportIncident(deps, error)
    const lost = lostRequest(step.state())
    if (lost) step.record(lost)
    endRun(step, {
      reason: 'internal-error',
      message: `An internal error stopped the run. The server log has the details under incident ${incidentId}.`,
    })
  } finally {
    step.release()
  }
  const after = step.state()
  // The next step flushes the events before it. There is none after the end, or while people decide.
  if (!isWork(nextStep(after))) await deps.journal.flush()
  return after
}

/** Returns whether the next step needs neither people nor anything outside of this run. */
function isWork({ type }: Step): boolean {
  return type !== 'done' && type !== 'wait'
}

/** Takes a step: `planned`, unless what was lost or decided meanwhile changes it. */
async function takeStep(step: RunStep, planned: Step): Promise<void> {
  const before = step.state()
  if (mayHaveLost(before)) await recordLostRequest(step)
  await notePanelCost(step)
  await noteChildCost(step)
  if (mayHaveChoice(step.state())) await collectCostCapChoices(step)
  const next = step.state() === before ? planned : nextStep(step.state())
  if (next.type === 'done') return
  if (next.type === 'end') return endRun(step, next)
  if (!step.signal.aborted) await work(step, next)
  if (step.signal.aborted && !step.state().end) await stopRun(step, step.signal.reason)
}

type Work = Exclude<Step, { type: 'done' | 'end' }>

async function work(step: RunStep, next: Work): Promise<void> {
  switch (next.type) {
    case 'call-model':
      return modelTurn(step, next)
    case 'call-tools':
      return callRound(step, next.round)
    case 'wait':
      return collectDecisions(step, next.round)
    default:
      return next satisfies never
  }
}

/** Ends a run whose step was stopped, or leaves it for another process. */
async function stopRun(step: RunStep, stop: StepStop): Promise<void> {
  switch (stop.type) {
    case 'handover':
    case 'released':
      await step.deps.journal.flush()
      throw new HandoverError()
    case 'time-limit':
      return endRun(step, {
        reason: 'time-limit',
        message: 'The run reached its time limit. Raise it in the configuration or ask for less.',
      })
    case 'cancelled': {
      const { by, reason } = stop
      step.record({ type: 'cancel-requested', data: { by, reason } })
      return endRun(step, { reason: 'cancelled', message: `Stopped by ${by}.` })
    }
    case 'frozen':
      return endRun(step, {
        reason: 'frozen',
        message: `This site was frozen by ${stop.by}${because(stop.reason)} Run it again after the site is unfrozen.`,
      })
    case 'revoked':
      return endRun(step, { reason: 'revoked', message: stop.reason })
    case 'went-back':
      return endRun(step, { reason: 'internal-error', message: stop.reason })
    default:
      return stop satisfies never
  }
}

/** Records what the other members of its panel have cost, once a cap of the panel is reached with it (SPEC Q3). */
async function notePanelCost(step: RunStep): Promise<void> {
  const before = step.state()
  const caps = startOf(before).snapshot.costCaps.filter(({ scope }) => scope === 'panel')
  const { readPanelCost } = step.deps
  const round = before.rounds.at(-1)?.round
  if (caps.length === 0 || round === undefined || !readPanelCost) return
  const othersMicroUsd = await orJournalLost(readPanelCost(), 'The cost of the panel')
  if (othersMicroUsd === before.othersMicroUsd) return
  const now = { ...before, othersMicroUsd }
  if (reachedCaps(now).length === reachedCaps(before).length) return
  step.record({ type: 'panel-cost', data: { othersMicroUsd } })
  warnOfReached(step, round, before)
}

/** Records what the runs have cost that calls started, since that was noted last: caps count it (SPEC M4). */
async function noteChildCost(step: RunStep): Promise<void> {
  const before = step.state()
  const { readChildCost } = step.deps
  const last = before.rounds.findLast(({ calls }) => calls.some(({ childRunId }) => childRunId))
  if (!last || !readChildCost) return
  const microUsd = await orJournalLost(readChildCost(), 'The cost of the child runs')
  if (microUsd === before.childrenMicroUsd) return
  step.record({ type: 'child-cost', data: { microUsd } })
  warnOfReached(step, last.round, before)
}

/** Returns whether a cost cap is reached about which somebody may have decided; most runs have none. */
function mayHaveChoice(state: RunState): boolean {
  const last = state.rounds.at(-1)
  return !state.end && Boolean(last?.response) && reachedCaps(state).length > 0
}

/** Records new choices for the cost caps that the run has reached: its own (SPEC M4), and that of its panel (SPEC Q3). */
async function collectCostCapChoices(step: RunStep): Promise<void> {
  const { readCostCapChoice, readPanelCapChoice } = step.deps
  const own = await readChoice(step, readCostCapChoice)
  const known = step.state()
  if (own && isNews(own, known.costCapDecision))
    step.record({
      type: 'cost-cap-decision',
      data: { ...own, spentMicroUsd: spentMicroUsd(known) },
    })
  const cap = reachedCaps(known).find(({ scope }) => scope === 'panel')
  const ofPanel = cap && readPanelCapChoice && (await readChoice(step, readPanelCapChoice))
  if (cap && ofPanel && isNews(ofPanel, decisionOn(cap, known)))
    step.record({
      type: 'cost-cap-decision',
      data: { ...ofPanel, spentMicroUsd: spentUnder(cap, known), ofPanel: true },
    })
}

function isNews(given: CapDecision, known: CapDecision | null): boolean {
  return given.choice !== known?.choice || (given.byAdmin ?? null) !== (known.byAdmin ?? null)
}

/** Returns the stored choice; null when it cannot be read, so that the run continues as before. */
async function readChoice({ deps }: RunStep, read: () => Promise<CapDecision | null>) {
  try {
    return await read()
  } catch (error) {
    if (error instanceof JournalLostError) throw error
    reportIncident(deps, error)
    return null
  }
}
