import type { Pool } from 'pg'
import { FailureCategory } from '@/lib/protocol/model/failure'

const now = `(now() AT TIME ZONE 'UTC')`
const minute = `interval '1 minute'`
const after = (ms: string) => `${now} + make_interval(secs => ${ms} / 1000.0)`

/**
 * Picks a key and counts its request in one statement, which locks the keys of the connection: requests of several
 * processes together stay within the limits. `reported`: the limits in earlier answers.
 */
const take = `
WITH reported AS (
  SELECT * FROM jsonb_to_recordset($3::jsonb) AS r(id uuid, tokens int, "leftRequests" int, "requestsMs" float8,
    "leftTokens" int, "tokensMs" float8)),
held AS (
  SELECT k.*, k."windowStart" IS NULL OR k."windowStart" <= ${now} - ${minute} AS "isOver"
  FROM connection_keys k WHERE k."connectionId" = $1::uuid ORDER BY k.id FOR UPDATE),
state AS (
  SELECT h.id, h.label, h.enabled, h.weight, h."requestsPerMinute", h."tokensPerMinute", h."cooledUntil",
    h."lastCategory", h."lastAdvice", coalesce(h."secretId", $2::uuid) AS "secretId",
    CASE WHEN h."isOver" THEN ${now} ELSE h."windowStart" END AS "windowStart",
    CASE WHEN h."isOver" THEN 0 ELSE h.requests END AS requests,
    CASE WHEN h."isOver" THEN 0 ELSE greatest(0, h.tokens + coalesce(r.tokens, 0)) END AS tokens,
    CASE WHEN r."leftRequests" IS NOT NULL THEN r."leftRequests"
      WHEN h."leftRequestsUntil" > ${now} THEN h."leftRequests" END AS "leftRequests",
    CASE WHEN r."leftRequests" IS NOT NULL THEN ${after('r."requestsMs"')}
      ELSE h."leftRequestsUntil" END AS "leftRequestsUntil",
    CASE WHEN r."leftTokens" IS NOT NULL THEN r."leftTokens"
      WHEN h."leftTokensUntil" > ${now} THEN h."leftTokens" END AS "leftTokens",
    CASE WHEN r."leftTokens" IS NOT NULL THEN ${after('r."tokensMs"')}
      ELSE h."leftTokensUntil" END AS "leftTokensUntil",
    r.id IS NOT NULL AS reported
  FROM held h LEFT JOIN reported r ON r.id = h.id),
judged AS (
  SELECT s.*, greatest(
    s."cooledUntil",
    CASE WHEN s.requests >= s."requestsPerMinute" THEN s."windowStart" + ${minute} END,
    CASE WHEN s.tokens > 0 AND s.tokens + $4::int > s."tokensPerMinute" THEN s."windowStart" + ${minute} END,
    CASE WHEN s."leftRequests" <= 0 THEN s."leftRequestsUntil" END,
    CASE WHEN s."leftTokens" < $4::int THEN s."leftTokensUntil" END) AS "freeAt"
  FROM state s
  WHERE s.enabled AND s."secretId" IS NOT NULL AND NOT (s.id = ANY($5::uuid[]))),
picked AS (
  SELECT j.id FROM judged j WHERE j."freeAt" IS NULL OR j."freeAt" <= ${now}
  ORDER BY (j.id = $6::uuid) IS TRUE DESC, -ln(1 - random()) / j.weight LIMIT 1),
counted AS (
  UPDATE connection_keys k SET
    "windowStart" = s."windowStart",
    requests = s.requests + (p.id IS NOT NULL)::int,
    tokens = s.tokens + CASE WHEN p.id IS NULL THEN 0 ELSE $4::int END,
    "leftRequests" = s."leftRequests" - (p.id IS NOT NULL)::int,
    "leftRequestsUntil" = s."leftRequestsUntil",
    "leftTokens" = s."leftTokens" - CASE WHEN p.id IS NULL THEN 0 ELSE $4::int END,
    "leftTokensUntil" = s."leftTokensUntil"
  FROM state s LEFT JOIN picked p ON p.id = s.id
  WHERE k.id = s.id AND (p.id IS NOT NULL OR s.reported)
  RETURNING 1)
SELECT j.id, j.label, j."lastCategory", j."lastAdvice", p.id IS NOT NULL AS picked,
  greatest(0, ceil(extract(epoch FROM j."freeAt" - ${now}) * 1000))::float8 AS "waitMs",
  j."cooledUntil" > ${now} AS cooled
FROM judged j LEFT JOIN picked p ON p.id = j.id`

/** Rate limits of a key as an answer reported them, and the error of the request's token estimate. */
export type KeyReport = {
  id: string
  tokens: number
  leftRequests: number | null
  requestsMs: number
  leftTokens: number | null
  tokensMs: number
}

export type WantedKey = {
  connectionId: string
  /** The connection's own key. */
  secretId: string | null
  /** About how many tokens the request has. */
  tokens: number
  reports: readonly KeyReport[]
  /** Keys that were tried already. */
  tried: readonly string[]
  /** The key that is taken if it is free. */
  preferred: string | null
}

export type TakenKey = { id: string; label: string; wasFailing: boolean }
/** Why a key cannot be used now. `category` null = its limit is used up; otherwise it failed and is paused. */
export type BusyKey = {
  label: string
  waitMs: number
  category: FailureCategory | null
  advice: string
}

type Row = {
  id: string
  label: string
  lastCategory: string
  lastAdvice: string
  picked: boolean
  waitMs: number
  cooled: boolean | null
}

/**
 * Takes a free key of the connection, by weight, and counts the request against its limits. `busy`: why each of the
 * others is not free; empty = all were tried or are switched off.
 */
export async function takeKey(
  pool: Pool,
  wanted: WantedKey,
): Promise<{ key: TakenKey } | { key: null; busy: BusyKey[] }> {
  const { connectionId, secretId, reports, tokens, tried, preferred } = wanted
  const values = [connectionId, secretId, JSON.stringify(reports), tokens, tried, preferred]
  const { rows } = await pool.query<Row>(take, values)
  const picked = rows.find((row) => row.picked)
  if (picked) {
    const { id, label, lastCategory } = picked
    return { key: { id, label, wasFailing: lastCategory !== '' } }
  }
  return { key: null, busy: rows.map(toBusy) }
}

function toBusy({ label, waitMs, cooled, lastCategory, lastAdvice }: Row): BusyKey {
  const category = cooled ? (FailureCategory.safeParse(lastCategory).data ?? null) : null
  return { label, waitMs, category, advice: lastAdvice }
}

const cool = `
UPDATE connection_keys SET
  "cooledUntil" = greatest("cooledUntil", ${after('$2::float8')}),
  "lastCategory" = $3, "lastAdvice" = $4, "lastFailedAt" = ${now}
WHERE id = $1::uuid AND "updatedAt" <= to_timestamp($5 / 1000.0) AT TIME ZONE 'UTC'`

/**
 * Pauses a key for `ms` after a failure of its own. Does nothing when somebody replaced the key after it was read
 * (`openedAt`, ms since 1970).
 */
export async function pauseKey(
  pool: Pool,
  id: string,
  {
    ms,
    category,
    advice,
    openedAt,
  }: { ms: number; category: FailureCategory; advice: string; openedAt: number },
): Promise<void> {
  await pool.query(cool, [id, ms, category, advice, openedAt])
}

const exhausted = `
UPDATE connection_keys SET
  "leftRequests" = coalesce($2::int, "leftRequests"),
  "leftRequestsUntil" = CASE WHEN $2::int IS NULL THEN "leftRequestsUntil" ELSE ${after('$3::float8')} END,
  "leftTokens" = coalesce($4::int, "leftTokens"),
  "leftTokensUntil" = CASE WHEN $4::int IS NULL THEN "leftTokensUntil" ELSE ${after('$5::float8')} END
WHERE id = $1::uuid`

/** Tells every process at once what is left of a key. */
export async function reportKey(pool: Pool, report: KeyReport): Promise<void> {
  const { id, leftRequests, requestsMs, leftTokens, tokensMs } = report
  await pool.query(exhausted, [id, leftRequests, requestsMs, leftTokens, tokensMs])
}

/** Clears the failure of a key after an answer showed that it works again. */
export async function clearKey(pool: Pool, id: string): Promise<void> {
  await pool.query(
    `UPDATE connection_keys SET "cooledUntil" = NULL, "lastCategory" = '', "lastAdvice" = '', "lastFailedAt" = NULL
     WHERE id = $1::uuid`,
    [id],
  )
}

/** Clears the failure of the connection's own key after a test showed that the provider accepts it. */
export async function clearOwnKey(pool: Pool, connectionId: string): Promise<void> {
  await pool.query(
    `UPDATE connection_keys SET "cooledUntil" = NULL, "lastCategory" = '', "lastAdvice" = '', "lastFailedAt" = NULL
     WHERE "connectionId" = $1::uuid AND "secretId" IS NULL AND "lastCategory" = 'auth'`,
    [connectionId],
  )
}
