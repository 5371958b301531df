import 'server-only'
import { panelRefusalWords, refusalWords } from '@/lib/domains/budgets/refusal-words'
import { type Claim, queryOf } from '@/lib/domains/budgets/reserve-in-budgets'
import { reserveTogether } from '@/lib/domains/budgets/reserve-together'
import { planRequest } from '@/lib/engines/runtime/ask/plan-request'
import { inputBound, worstOutputTokens } from '@/lib/engines/runtime/spend/worst-case'
import type { Tx } from '@/lib/kernel/db'
import { ConflictError } from '@/lib/kernel/errors'
import type { PgConnection } from '@/lib/kernel/statements'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { firstEvent } from '@/lib/runs/engine/live-runs'
import type { Planned } from '@/lib/runs/start/insert-run'
import { sizeOf } from '@/lib/runs/start/reserve-for-run'
import type { StartContext } from '@/lib/runs/start/run-draft'
import { readTools } from '@/lib/runs/start/versioned'
import { bindTools } from '@/lib/toolset/tools/load-toolset'

/** Reservation for the first request of a member. */
type MemberClaim = Claim & { planned: Planned }

/** Returns what the first requests of these members reserve, read from `tx`; nothing while no budget is in force. */
export async function claimsOf(
  context: StartContext,
  engine: Engine | undefined,
  members: readonly Planned[],
  tx: Tx,
): Promise<MemberClaim[]> {
  // Without an engine, whichever process takes a member reserves for it.
  if (!engine || !(await engine.budgetsInForce())) return []
  const claims: MemberClaim[] = []
  for (const planned of members) {
    const claim = await claimOf(context, engine.instanceId, planned, tx)
    if (claim) claims.push({ ...claim, planned })
  }
  return claims
}

/**
 * Reserves the first request of each member in all budgets, in the transaction that stores the panel (SPEC Q3). A member takes
 * over what is held under the id of its run. Throws ConflictError, with the sum, when the budgets have no room for all of
 * them together.
 */
export async function reserveForPanel(
  connection: PgConnection,
  claims: readonly MemberClaim[],
): Promise<void> {
  if (claims.length === 0) return
  const answers = await reserveTogether(queryOf(connection), claims)
  const sentence = panelRefusalWords(answers)
  if (sentence !== null) throw new ConflictError(sentence)
  for (const [place, states] of answers.entries()) {
    const target = claims[place]?.planned.snapshot.targets[0]
    const isRefused = states.some(({ answer }) => answer !== 'held' && answer !== 'uncounted')
    if (isRefused && target) throw new ConflictError(refusalWords(states, target))
  }
}

/** Returns what the first request of a member may use at most; null = it does not fit its model, and none is sent. */
async function claimOf(
  context: StartContext,
  instanceId: string,
  { run, snapshot, policyVersion }: Planned,
  tx: Tx,
): Promise<Claim | null> {
  const target = snapshot.targets[0]
  if (!target) return null
  const state = foldRun([firstEvent(run)])
  const known = await readTools(context, policyVersion, tx)
  const all = bindTools(known, tx, { since: run.createdAt.getTime() })
  const tools = run.start.data.accepted.flatMap(({ name }) => all.get(name) ?? [])
  const journal = { nativeOf: () => null }
  const step = { state: () => state, deps: { tools: all, journal, earlier: [] } }
  const plan = planRequest(step, { target, index: 0 }, { tools, round: 1 })
  if (!plan.fits) return null
  const worst = {
    inputTokens: await inputBound(state, { target, index: 0, ...plan }),
    outputTokens: worstOutputTokens(target, plan.request.parameters, plan.contextTokens),
  }
  const { runId, userId, apiKeyId } = run
  const who = { userId, apiKeyId, configurationId: snapshot.configurationId }
  return { callId: runId, runId, instanceId, ...who, ...sizeOf(target, worst) }
}
