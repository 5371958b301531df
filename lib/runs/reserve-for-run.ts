import 'server-only'
import { refusalWords, uncountedWords } from '@/lib/budgets/refusal-words'
import {
  type BudgetState,
  type Claim,
  reserveInBudgets,
  reserveOneMore,
} from '@/lib/budgets/reserve-in-budgets'
import { newId } from '@/lib/new-id'
import { worstCostMicroUsd } from '@/lib/protocol/cost'
import type { ModelTarget } from '@/lib/protocol/model-target'
import {
  JournalLostError,
  type Reservation,
  type RunDeps,
  type WorstCase,
} from '@/lib/runtime/deps'
import { sleep } from '@/lib/runtime/sleep'
import { anyBudgetInForce } from './budgets-in-force'

/** How long a call waits for others to give back what they hold and will mostly not need; dead processes' too. */
const patienceMs = 30_000
const firstPauseMs = 40
const longestPauseMs = 500

type RunOfClaim = Pick<Claim, 'runId' | 'userId' | 'configurationId' | 'instanceId'>

/** How this run's provider calls are held in budgets (SPEC M2). */
export function reserveForRun(run: RunOfClaim): RunDeps['reserve'] {
  return async (call, signal) => {
    if (!(await orLookAgain(anyBudgetInForce())))
      return { type: 'held', reservationId: null, warning: null }
    const size = sizeOf(call.target, await call.worst())
    const claim: Claim = { ...run, ...size, callId: newId() }
    const states = await askBudgets(() => reserveInBudgets(claim), signal)
    if (states?.length === 0) return { type: 'held', reservationId: null, warning: null }
    return toReservation(claim.callId, call.target, states)
  }
}

/** Holds one more request of a call, which its adapter is about to make again (SPEC M2). */
export const reserveResend: RunDeps['reserveResend'] = async ({ reservationId, target }, signal) =>
  toReservation(
    reservationId,
    target,
    await askBudgets(() => reserveOneMore(reservationId), signal),
  )

/** Asks until there is room, or no hope of it; null = stopped meanwhile. */
async function askBudgets(
  ask: () => Promise<BudgetState[]>,
  signal: AbortSignal,
): Promise<BudgetState[] | null> {
  const deadline = Date.now() + patienceMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const states = await orLookAgain(ask())
    if (!isCrowded(states) || Date.now() > deadline) return states
    // Not all at once again.
    await sleep(pauseMs * (0.5 + Math.random()), signal)
    if (signal.aborted) return null
  }
}

/** Nothing is asked without its budgets: when they cannot be read, the run is looked at again, as its journal is. */
async function orLookAgain<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw new JournalLostError(`Budgets cannot be read: ${String(error)}`)
  }
}

function sizeOf(target: ModelTarget, { inputTokens, outputTokens }: WorstCase) {
  const tokens = inputTokens + outputTokens
  return { tokens, costMicroUsd: worstCostMicroUsd(inputTokens, outputTokens, target.prices) }
}

/** Refused only by what is held for calls in flight: each of them gives back what it did not use. */
function isCrowded(states: readonly BudgetState[]): boolean {
  const refusing = states.filter(({ answer }) => answer !== 'held' && answer !== 'uncounted')
  return refusing.length > 0 && refusing.every(hasRoomLater)
}

function hasRoomLater({ answer, spent, wanted, amount }: BudgetState): boolean {
  return answer === 'full' && wanted !== null && spent + wanted <= amount
}

function toReservation(
  reservationId: string,
  target: ModelTarget,
  states: readonly BudgetState[] | null,
): Reservation {
  if (states === null) return { type: 'stopped' }
  if (states.some(({ answer }) => answer !== 'held' && answer !== 'uncounted')) {
    return { type: 'refused', reason: refusalWords(states, target) }
  }
  return { type: 'held', reservationId, warning: uncountedWords(states, target) }
}
