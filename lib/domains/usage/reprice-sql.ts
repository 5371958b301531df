/** The price row that held when the run began (SPEC R1); all its columns are null when none did. */
const priceThen = `
  LEFT JOIN LATERAL (
    SELECT p.input, p.output, p."cachedInput", p."cacheWrite", p.reasoning,
      CASE WHEN u."inputTokens" > (p."longPrompt"->>'aboveTokens')::int
        THEN (p."longPrompt"->>'inputPercent')::int ELSE 100 END AS "inputPercent",
      CASE WHEN u."inputTokens" > (p."longPrompt"->>'aboveTokens')::int
        THEN (p."longPrompt"->>'outputPercent')::int ELSE 100 END AS "outputPercent"
    FROM model_prices p
    WHERE p."modelRecordId" = u."modelRecordId" AND p."validFrom" <= r."createdAt"
    ORDER BY p."validFrom" DESC LIMIT 1) p ON true`

/** Tokens times price, as numeric so that nothing overflows; 0 without tokens, null without a price that is needed. */
function part(tokens: string, price: string): string {
  return `CASE WHEN ${tokens} <= 0 THEN 0 ELSE (${tokens})::numeric * ${price} END`
}

/**
 * What a row of usage_records (`u`) costs by the prices `p`, in whole micro-USD, rounded up once a call: the same as
 * `costMicroUsd` of lib/protocol/cost.ts. Null for what was asked in a service tier whose price is not known.
 */
const costThen = `
  CASE WHEN NOT u."unpricedTier" THEN div(
    (${part('u."inputTokens"::bigint - u."cachedInputTokens" - u."cacheWriteTokens"', 'p.input')}
      + ${part('u."cachedInputTokens"', 'coalesce(p."cachedInput", p.input)')}
      + ${part('u."cacheWriteTokens"', 'p."cacheWrite"')}) * coalesce(p."inputPercent", 100)
    + (${part('u."outputTokens"::bigint - u."reasoningTokens"', 'p.output')}
      + ${part('u."reasoningTokens"', 'coalesce(p.reasoning, p.output)')}) * coalesce(p."outputPercent", 100)
    + 99999999, 100000000)::bigint END`

/** The same as `isCostAtMost` of lib/protocol/cost.ts. */
const atMostThen = `(u."cachedInputTokens" > 0 AND p."cachedInput" IS NULL AND p.input IS NOT NULL)`

/** One row a call: usage records `u` of runs `r` that fit `where`, with the cost they should have as `fresh`. */
export function freshCosts(where: string): string {
  return `
    SELECT u.id, u."runId", u.round, u."modelRecordId", r.status, u."costMicroUsd" AS old,
      ${costThen} AS fresh, ${atMostThen} AS "atMost"
    FROM usage_records u JOIN runs r ON r.id = u."runId" ${priceThen}
    WHERE ${where}`
}
