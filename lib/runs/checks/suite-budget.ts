import 'server-only'
import { suiteRefusalWords } from '@/lib/domains/budgets/refusal-words'
import { type Claim, queryOf } from '@/lib/domains/budgets/reserve-in-budgets'
import { reserveTogether } from '@/lib/domains/budgets/reserve-together'
import { requireCheck, toAssertions } from '@/lib/domains/checks/reads'
import type { Ctx } from '@/lib/kernel/context'
import { AppError, ConflictError } from '@/lib/kernel/errors'
import { newId } from '@/lib/kernel/new-id'
import { pooledTransaction } from '@/lib/kernel/statements'
import { unreadable } from '@/lib/protocol/check/ask-judge'
import type { CheckMode } from '@/lib/protocol/check/check'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { type Engine, runningEngine } from '@/lib/runs/engine/engine'
import { firstEvent } from '@/lib/runs/engine/live-runs'
import { claimsOf } from '@/lib/runs/panels/reserve-for-panel'
import { planRun } from '@/lib/runs/start/plan-run'
import type { PlanInput } from '@/lib/runs/start/run-draft'
import { judgeInput } from './begin-judge'
import { inputOf } from './check-input'

type Try = { checkId: string; configurationId: string }

/**
 * Throws ConflictError when the budgets have no room for the first requests of all of these tries together. Nothing stays reserved: each
 * request reserves for itself when it is sent (SPEC M2).
 */
export async function requireRoom(ctx: Ctx, tries: readonly Try[], mode: CheckMode): Promise<void> {
  const engine = runningEngine()
  // Without an engine, whichever process takes a run reserves for it.
  if (!engine || !(await engine.budgetsInForce())) return
  const claims = await claimsOfTries(ctx, engine, tries, mode)
  const sentence = await pooledTransaction(engine.database.pool, async (connection) => {
    const answers = await reserveTogether(queryOf(connection), claims)
    throw new Asked(suiteRefusalWords(answers))
  }).catch((error: unknown) => {
    if (error instanceof Asked) return error.sentence
    throw error
  })
  if (sentence !== null) throw new ConflictError(sentence)
}

/** Takes back what was reserved to ask, and carries the answer. */
class Asked extends Error {
  constructor(readonly sentence: string | null) {
    super('The budgets were asked.')
  }
}

/** Returns the claims of each try and its judges. A run that cannot run claims nothing: it says so when its turn comes. */
async function claimsOfTries(
  ctx: Ctx,
  engine: Engine,
  tries: readonly Try[],
  mode: CheckMode,
): Promise<Claim[]> {
  const known = new Map<string, readonly Claim[]>()
  const claims: Claim[] = []
  for (const tried of tries) {
    const key = `${tried.checkId} ${tried.configurationId}`
    const found = known.get(key) ?? (await claimsOfTry(ctx, engine, tried, mode))
    known.set(key, found)
    for (const claim of found) claims.push({ ...claim, callId: newId() })
  }
  return claims
}

async function claimsOfTry(
  ctx: Ctx,
  engine: Engine,
  { checkId, configurationId }: Try,
  mode: CheckMode,
): Promise<Claim[]> {
  const { client } = engine.database
  const check = await requireCheck(client, ctx, checkId)
  const by = { ...ctx, starters: check.starters }
  const claims: Claim[] = []
  const plan = async (input: PlanInput) => {
    try {
      const planned = await planRun(engine, by, input, client)
      claims.push(...(await claimsOf(engine, engine, [planned], client)))
      return planned
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return null
    }
  }
  const planned = await plan(inputOf(check, { configurationId, mode }))
  if (!planned) return claims
  // The answer is not known yet; the request of a judge reserves for it when it is sent.
  const state = foldRun([firstEvent(planned.run)])
  for (const judge of toAssertions(check)) {
    if (judge.type !== 'judge' || unreadable(state) !== null) continue
    await plan(judgeInput(judge, { check, runId: planned.run.runId, state }))
  }
  return claims
}
