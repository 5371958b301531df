import type { Pool } from 'pg'
import { z } from 'zod'
import { type PgConnection, rowsOf } from '@/lib/kernel/statements'
import { budgetTitle, windowEnd, windowStart } from './budget-title'

/**
 * The largest use of a call and its owner. `configurationId` and `apiKeyId` null = without one, `costMicroUsd` null = the
 * model has no price.
 */
export type Claim = {
  callId: string
  runId: string
  instanceId: string
  userId: string
  configurationId: string | null
  apiKeyId: string | null
  tokens: number
  costMicroUsd: number | null
}

const figure = z.coerce.number()

const State = z.object({
  title: z.string(),
  unit: z.enum(['requests', 'tokens', 'micro-usd']),
  amount: figure,
  /** Reserved for other calls, and spent, in the budget's unit. */
  reserved: figure,
  spent: figure,
  /** Amount of the claim; null: its cost is unknown. */
  wanted: figure.nullable(),
  resetsAt: z.date(),
  answer: z.enum(['held', 'uncounted', 'full', 'unpriced', 'uncovered']),
})
/** The answer of one budget to a claim. */
export type BudgetState = z.infer<typeof State>

/**
 * Returns the condition on budgets that count a call of this person with this configuration and API key, whose
 * placeholders are parameters.
 */
const appliesTo = (user: string, configuration: string, key: string) => `
  b.enabled AND (b.scope = 'site'
    OR (b.scope = 'user' AND b."scopeId" = ${user}::uuid)
    OR (b.scope = 'configuration' AND b."scopeId" = ${configuration}::uuid)
    OR (b.scope = 'key' AND b."scopeId" = ${key}::uuid)
    OR (b.scope = 'group' AND b."scopeId" IN (
      SELECT "groupId" FROM group_members WHERE "userId" = ${user}::uuid)))`

/**
 * Returns the query that judges a claim, without its end. With `locked`, counters are locked, always in the same order, and a
 * window without counters is `uncovered`; else it counts as empty.
 */
const judging = (locked: boolean) => `
WITH claimed AS (
  SELECT b.*, ${windowStart} AS "windowStart", ${windowEnd} AS "resetsAt", ${budgetTitle} AS title,
    CASE b.unit WHEN 'requests' THEN 1 WHEN 'tokens' THEN $4::bigint
      ELSE coalesce($5::bigint, CASE b.unpriced WHEN 'count-tokens' THEN 0 END) END AS wanted
  FROM budgets b WHERE ${appliesTo('$1', '$2', '$3')}),
counted AS (
  SELECT k."budgetId", k.reserved, k.spent
  FROM budget_counters k JOIN claimed b ON b.id = k."budgetId" AND b."windowStart" = k."windowStart"
  ORDER BY k."budgetId", k."windowStart" ${locked ? 'FOR UPDATE OF k' : ''}),
judged AS (
  SELECT b.*, coalesce(l.reserved, 0) AS held, coalesce(l.spent, 0) AS spent,
    CASE WHEN ${locked} AND l."budgetId" IS NULL THEN 'uncovered'
      WHEN b.wanted IS NULL THEN 'unpriced'
      WHEN NOT (coalesce(l.reserved, 0) + coalesce(l.spent, 0) + b.wanted <= b.amount) THEN 'full'
      WHEN b.unit = 'micro-usd' AND $5::bigint IS NULL THEN 'uncounted'
      ELSE 'held' END AS answer
  FROM claimed b LEFT JOIN counted l ON l."budgetId" = b.id)`

const answers = `
SELECT title, unit::text AS unit, amount, held AS reserved, spent, wanted,
  "resetsAt" AT TIME ZONE 'UTC' AS "resetsAt", answer
FROM judged ORDER BY title, id`

/**
 * Reserves in all budgets or in none, in one statement. Counters are raised only if each has room. PostgreSQL reads them
 * again after a wait for a lock, so no two claims see the same room.
 */
const reserve = `${judging(true)},
raised AS (
  UPDATE budget_counters k SET reserved = k.reserved + j.wanted
  FROM judged j
  WHERE k."budgetId" = j.id AND k."windowStart" = j."windowStart"
    AND NOT EXISTS (SELECT 1 FROM judged WHERE answer NOT IN ('held', 'uncounted'))
  RETURNING k."budgetId", k."windowStart", j.wanted),
written AS (
  INSERT INTO budget_reservations (id, "callId", "budgetId", "windowStart", "runId", "instanceId", reserved, "createdAt")
  SELECT gen_random_uuid(), $6::uuid, "budgetId", "windowStart", $7::uuid, $8::uuid, wanted, now() AT TIME ZONE 'UTC'
  FROM raised)
${answers}`

const check = `${judging(false)} ${answers}`

const createCounters = `
INSERT INTO budget_counters ("budgetId", "windowStart")
SELECT b.id, ${windowStart} FROM budgets b
WHERE ${appliesTo('$1', '$2', '$3')}
ORDER BY b.id
ON CONFLICT DO NOTHING`

/** Sends one statement and resolves with its rows. */
export type Query = (text: string, values: unknown[]) => Promise<unknown[]>

export function queryOf(connection: PgConnection): Query {
  return (text, values) => rowsOf(connection, { text }, values)
}

/**
 * Reserves a claim in every budget that applies (SPEC M1, M2), or in none of them, and returns the answer of each. An
 * empty list = no budget applies, and nothing was written. A window without counters gets them.
 */
export async function reserveInBudgets(query: Query, claim: Claim): Promise<BudgetState[]> {
  const { callId, runId, instanceId, userId, configurationId, apiKeyId } = claim
  const who = [userId, configurationId, apiKeyId]
  const values = [...valuesOf(claim), callId, runId, instanceId]
  for (let tries = 1; ; tries++) {
    const states = z.array(State).parse(await query(reserve, values))
    if (tries === 3 || states.every(({ answer }) => answer !== 'uncovered')) return states
    await query(createCounters, who)
  }
}

type Size = Omit<Claim, 'callId' | 'runId' | 'instanceId'>

function valuesOf({ userId, configurationId, apiKeyId, tokens, costMicroUsd }: Size): unknown[] {
  return [userId, configurationId, apiKeyId, tokens, costMicroUsd]
}

/** Returns what each budget that applies would answer to a claim now. Reserves, locks and writes nothing. */
export async function checkBudgetsFor(query: Query, claim: Size): Promise<BudgetState[]> {
  return z.array(State).parse(await query(check, valuesOf(claim)))
}

/**
 * Reserves one more request for a call, in all budgets or in none. The requests that were reserved for it before were
 * made, so they count as spent.
 */
const oneMore = `
WITH open AS (
  SELECT r.id, r."budgetId", r."windowStart", r.reserved
  FROM budget_reservations r JOIN budgets b ON b.id = r."budgetId"
  WHERE r."callId" = $1::uuid AND r.status = 'open' AND b.unit = 'requests' AND b.enabled
  ORDER BY r.id FOR UPDATE OF r),
locked AS (
  SELECT k."budgetId", k.reserved, k.spent
  FROM budget_counters k JOIN open o ON o."budgetId" = k."budgetId" AND o."windowStart" = k."windowStart"
  ORDER BY k."budgetId", k."windowStart" FOR UPDATE OF k),
judged AS (
  SELECT o.id, o."budgetId", o."windowStart", ${budgetTitle} AS title, ${windowEnd} AS "resetsAt", b.unit, b.amount,
    k.reserved - o.reserved AS reserved, k.spent + o.reserved AS spent,
    CASE WHEN k.reserved + k.spent + 1 <= b.amount THEN 'held' ELSE 'full' END AS answer
  FROM open o JOIN budgets b ON b.id = o."budgetId" JOIN locked k ON k."budgetId" = o."budgetId"),
raised AS (
  UPDATE budget_counters k SET reserved = k.reserved + 1
  FROM judged j
  WHERE k."budgetId" = j."budgetId" AND k."windowStart" = j."windowStart"
    AND NOT EXISTS (SELECT 1 FROM judged WHERE answer = 'full')),
written AS (
  UPDATE budget_reservations r SET reserved = r.reserved + 1
  FROM judged j
  WHERE r.id = j.id AND NOT EXISTS (SELECT 1 FROM judged WHERE answer = 'full'))
SELECT title, unit::text AS unit, amount, reserved, spent, 1 AS wanted,
  "resetsAt" AT TIME ZONE 'UTC' AS "resetsAt", answer
FROM judged ORDER BY title, id`

/** Reserves one more request of a call. An empty list = no budget in requests counts it. */
export async function reserveOneMore(pool: Pool, callId: string): Promise<BudgetState[]> {
  const { rows } = await pool.query(oneMore, [callId])
  return z.array(State).parse(rows)
}
