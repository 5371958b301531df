import 'server-only'
import type { Pool } from 'pg'
import { refusalWords, uncountedWords } from '@/lib/domains/budgets/refusal-words'
import {
  type BudgetState,
  type Claim,
  checkBudgetsFor,
  queryOf,
  reserveInBudgets,
  reserveOneMore,
} from '@/lib/domains/budgets/reserve-in-budgets'
import { reserveInstead } from '@/lib/domains/budgets/reserve-together'
import {
  orJournalLost,
  type Reservation,
  type RunDeps,
  type WorstCase,
} from '@/lib/engines/runtime/deps'
import { sleep } from '@/lib/engines/runtime/sleep'
import { newId } from '@/lib/kernel/new-id'
import { worstCostMicroUsd } from '@/lib/protocol/cost/cost'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { BudgetsInForce } from './budgets-in-force'

/** Time that a request waits for other requests, also of dead processes, to release unused reservations. */
const patienceMs = 30_000
const firstPauseMs = 40
const longestPauseMs = 500

type RunOfClaim = Pick<Claim, 'runId' | 'userId' | 'configurationId' | 'apiKeyId' | 'instanceId'>

/**
 * Returns the function that reserves the model requests of a run in budgets (SPEC M2). `isMember`: its first request takes the
 * place of what was reserved under the id of the run when its panel began.
 */
export function reserveForRun(
  pool: Pool,
  run: RunOfClaim,
  anyBudgetInForce: BudgetsInForce,
  isMember = false,
): RunDeps['reserve'] {
  const query = queryOf(pool)
  let mayBeHeld = isMember
  const ask = async (claim: Claim) => {
    if (!mayBeHeld) return reserveInBudgets(query, claim)
    const states = await reserveInstead(pool, run.runId, claim)
    mayBeHeld = false
    return states
  }
  return async (call, signal) => {
    if (!(await orJournalLost(anyBudgetInForce(), 'The budgets')))
      return { type: 'held', reservationId: null, warning: null }
    const size = sizeOf(call.target, await call.worst())
    const claim: Claim = { ...run, ...size, callId: newId() }
    const states = await askBudgets(() => ask(claim), signal)
    if (states?.length === 0) return { type: 'held', reservationId: null, warning: null }
    return toReservation(claim.callId, call.target, states)
  }
}

/** Returns the function that answers as the one of `reserveForRun` would at this moment, and reserves nothing. */
export function checkForRun(
  pool: Pool,
  run: Pick<Claim, 'userId' | 'configurationId' | 'apiKeyId'>,
): RunDeps['reserve'] {
  return async ({ target, worst }) => {
    const claim = { ...run, ...sizeOf(target, await worst()) }
    const states = await orJournalLost(checkBudgetsFor(queryOf(pool), claim), 'The budgets')
    if (states.length === 0) return { type: 'held', reservationId: null, warning: null }
    return toReservation(newId(), target, states)
  }
}

/** Returns the function that reserves one more request, before the adapter repeats it (SPEC M2). */
export function reserveResend(pool: Pool): RunDeps['reserveResend'] {
  return async ({ reservationId, target }, signal) =>
    toReservation(
      reservationId,
      target,
      await askBudgets(() => reserveOneMore(pool, reservationId), signal),
    )
}

/** Asks until the budgets have room or cannot get any; null = stopped meanwhile. */
async function askBudgets(
  ask: () => Promise<BudgetState[]>,
  signal: AbortSignal,
): Promise<BudgetState[] | null> {
  const deadline = performance.now() + patienceMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const states = await orJournalLost(ask(), 'The budgets')
    if (!isCrowded(states) || performance.now() > deadline) return states
    // Random, so that waiting requests do not repeat at the same moment.
    await sleep(pauseMs * (0.5 + Math.random()), signal)
    if (signal.aborted) return null
  }
}

/** Returns what a request of this worst case takes of budgets. */
export function sizeOf(target: ModelTarget, { inputTokens, outputTokens }: WorstCase) {
  const tokens = inputTokens + outputTokens
  return { tokens, costMicroUsd: worstCostMicroUsd(inputTokens, outputTokens, target.prices) }
}

/**
 * Returns whether only reservations of active requests cause the refusal. Each of them releases what it did not use.
 */
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
    const hasNoPrice = states.some(({ answer }) => answer === 'unpriced')
    return { type: 'refused', reason: refusalWords(states, target), hasNoPrice }
  }
  return { type: 'held', reservationId, warning: uncountedWords(states, target) }
}
