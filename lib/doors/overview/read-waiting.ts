import 'server-only'
import { z } from 'zod'
import type { Tx } from '@/lib/kernel/db'

const count = z.coerce.number()

/**
 * Objects that wait for an admin: each is the number of rows on the page that lists them, except definitions, which
 * servers have.
 */
const SiteCounts = z.object({
  definitions: count,
  servers: count,
  changedSkills: count,
  missingSkills: count,
  hosts: count,
  failing: count,
  paused: count,
  needsAttention: count,
  /** Models that configurations use and that have no price. */
  unpriced: count,
  /** There is a configuration with a model that is not the demo, one of the demo, and a run. */
  hasConfiguration: z.boolean(),
  hasDemo: z.boolean(),
  hasRun: z.boolean(),
})
export type SiteCounts = z.output<typeof SiteCounts>

/** Counts all of it in one statement. The tests compare each figure with its list. */
export async function readSiteCounts(client: Tx): Promise<SiteCounts> {
  const [row] = await client.$queryRaw<unknown[]>`
    WITH tools AS (
      SELECT "serverId" FROM remote_tools
      WHERE "goneAt" IS NULL AND "acceptedHash" IS DISTINCT FROM "seenHash"
        AND (NOT unusable OR "acceptedHash" IS NOT NULL)),
    states AS (
      SELECT CASE
        WHEN c.wire <> 'demo' AND h.failures > 0 AND h."openUntil" > now() AT TIME ZONE 'UTC' THEN 'paused'
        WHEN c.wire <> 'demo' AND h.failures > 0 THEN 'failing'
        WHEN EXISTS (SELECT FROM connection_failures f WHERE f."connectionId" = c.id
          AND (f.scope = '' OR f."modelRecordId" IS NOT NULL))
          OR c."lastTest"->>'outcome' IN ('unauthorised', 'forbidden') THEN 'needsAttention' END AS state
      FROM connections c LEFT JOIN connection_health h ON h."connectionId" = c.id WHERE c.enabled)
    SELECT
      (SELECT count(*) FROM tools) AS definitions,
      (SELECT count(DISTINCT "serverId") FROM tools) AS servers,
      (SELECT count(*) FROM skills WHERE "orphanedAt" IS NULL AND "pendingVersion" IS NOT NULL) AS "changedSkills",
      (SELECT count(*) FROM skills WHERE "orphanedAt" IS NOT NULL) AS "missingSkills",
      (SELECT count(*) FROM host_requests) AS hosts,
      (SELECT count(*) FROM states WHERE state = 'failing') AS failing,
      (SELECT count(*) FROM states WHERE state = 'paused') AS paused,
      (SELECT count(*) FROM states WHERE state = 'needsAttention') AS "needsAttention",
      (SELECT count(*) FROM models m JOIN connections c ON c.id = m."connectionId"
        LEFT JOIN LATERAL (SELECT input, output FROM model_prices
          WHERE "modelRecordId" = m.id AND "validFrom" <= now() AT TIME ZONE 'UTC'
          ORDER BY "validFrom" DESC LIMIT 1) p ON true
        WHERE m.enabled AND c.enabled AND (p.input IS NULL OR p.output IS NULL)
          AND (EXISTS (SELECT FROM configurations WHERE "modelId" = m.id)
            OR EXISTS (SELECT FROM configuration_fallbacks WHERE "modelId" = m.id))) AS unpriced,
      EXISTS (SELECT FROM configurations g JOIN models m ON m.id = g."modelId"
        JOIN connections c ON c.id = m."connectionId" WHERE c.wire <> 'demo') AS "hasConfiguration",
      EXISTS (SELECT FROM configurations g JOIN models m ON m.id = g."modelId"
        JOIN connections c ON c.id = m."connectionId" WHERE c.wire = 'demo') AS "hasDemo",
      EXISTS (SELECT FROM runs) AS "hasRun"`
  return SiteCounts.parse(row)
}
