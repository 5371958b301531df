import 'server-only'
import { suiteRefusalWords } from '@/lib/domains/budgets/refusal-words'
import { type Claim, queryOf } from '@/lib/domains/budgets/reserve-in-budgets'
import { reserveTogether } from '@/lib/domains/budgets/reserve-together'
import { requireCheck } from '@/lib/domains/checks/reads'
import type { Ctx } from '@/lib/kernel/context'
import { AppError, ConflictError } from '@/lib/kernel/errors'
import { newId } from '@/lib/kernel/new-id'
import { pooledTransaction } from '@/lib/kernel/statements'
import type { CheckMode } from '@/lib/protocol/check/check'
import { type Engine, runningEngine } from '@/lib/runs/engine/engine'
import { claimsOf } from '@/lib/runs/panels/reserve-for-panel'
import { planRun } from '@/lib/runs/start/plan-run'
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

/** Returns the claim of each try. One that cannot run claims nothing: it says so when its turn comes. */
async function claimsOfTries(
  ctx: Ctx,
  engine: Engine,
  tries: readonly Try[],
  mode: CheckMode,
): Promise<Claim[]> {
  const { client } = engine.database
  const known = new Map<string, Claim | null>()
  const claims: Claim[] = []
  for (const { checkId, configurationId } of tries) {
    const key = `${checkId} ${configurationId}`
    if (!known.has(key)) {
      const check = await requireCheck(client, ctx, checkId)
      const by = { ...ctx, starters: check.starters }
      try {
        const planned = await planRun(engine, by, inputOf(check, { configurationId, mode }), client)
        const [claim = null] = await claimsOf(engine, engine, [planned], client)
        known.set(key, claim)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        known.set(key, null)
      }
    }
    const claim = known.get(key)
    if (claim) claims.push({ ...claim, callId: newId() })
  }
  return claims
}
