import { budgetTitle } from './budget-title'

/**
 * Returns SQL for what a provider call used of budget `b`, which had reserved `r` for it. An unknown cost uses the
 * whole reservation. Requests that an adapter repeated are requests, too; each was reserved, also one whose process
 * died before it could report.
 */
export const takenBy = (record: string) => `
  CASE b.unit
    WHEN 'requests' THEN greatest(1 + ${record}.retries, r.reserved)
    WHEN 'tokens' THEN (${record}."inputTokens"::bigint + ${record}."outputTokens")
    ELSE coalesce(${record}."costMicroUsd", r.reserved) END`

/**
 * Common table expressions that settle what `charged` names (SPEC M2): rows of the ledger, locked in the order of their
 * ids, with `status` (as it was), `used` and `outcome`. Counters follow, locked in one order for everybody, and whoever
 * passes 80 or 100 percent of a budget leaves one alert a window; 100 percent closes the alert at 80. All of it is part
 * of the statement around it.
 */
export const settlement = `
settled AS (
  UPDATE budget_reservations r
  SET status = c.outcome::"ReservationStatus", settled = c.used, "settledAt" = now() AT TIME ZONE 'UTC'
  FROM charged c WHERE r.id = c.id
  RETURNING r."budgetId", r."windowStart", c.used,
    CASE WHEN c.status = 'open' THEN r.reserved ELSE 0 END AS freed),
sums AS (
  SELECT "budgetId", "windowStart", sum(used)::bigint AS used, sum(freed)::bigint AS freed
  FROM settled GROUP BY 1, 2),
locked AS (
  SELECT k."budgetId", k."windowStart", s.used, s.freed
  FROM budget_counters k JOIN sums s ON s."budgetId" = k."budgetId" AND s."windowStart" = k."windowStart"
  ORDER BY k."budgetId", k."windowStart" FOR UPDATE OF k),
counted AS (
  UPDATE budget_counters k SET reserved = k.reserved - l.freed, spent = k.spent + l.used
  FROM locked l WHERE k."budgetId" = l."budgetId" AND k."windowStart" = l."windowStart"
  RETURNING k."budgetId", k."windowStart", k.spent),
closed AS (
  UPDATE budget_alerts a SET "seenAt" = now() AT TIME ZONE 'UTC'
  FROM counted n JOIN budgets b ON b.id = n."budgetId"
  WHERE a."budgetId" = n."budgetId" AND a."windowStart" = n."windowStart"
    AND a.percent < 100 AND n.spent >= b.amount AND a."seenAt" IS NULL),
alerted AS (
  INSERT INTO budget_alerts (id, "budgetId", "windowStart", percent, facts, at, "seenAt")
  SELECT gen_random_uuid(), n."budgetId", n."windowStart", p.percent,
    jsonb_build_object('title', ${budgetTitle}, 'unit', b.unit::text,
      'amount', b.amount, 'spent', n.spent), now() AT TIME ZONE 'UTC',
    CASE WHEN p.percent < 100 AND n.spent >= b.amount THEN now() AT TIME ZONE 'UTC' END
  FROM counted n JOIN budgets b ON b.id = n."budgetId" CROSS JOIN (VALUES (80), (100)) AS p(percent)
  WHERE n.spent * 100 >= b.amount * p.percent
  ON CONFLICT ("budgetId", "windowStart", percent) DO NOTHING
  RETURNING 1)`
