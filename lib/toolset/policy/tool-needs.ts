import 'server-only'
import { z } from 'zod'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import { ToolNeed } from '@/lib/protocol/tool'

/** Resources of this site that tools need, as a JSON array in SQL. Each table is a deciding one. */
export const presentNeeds = Prisma.sql`(SELECT coalesce(jsonb_agg(need), '[]') FROM (VALUES
  ('storage', EXISTS (SELECT 1 FROM storages WHERE enabled)),
  ('host', EXISTS (SELECT 1 FROM hosts WHERE enabled)),
  ('search-endpoint', EXISTS (SELECT 1 FROM search_endpoints WHERE enabled)),
  ('workspace', EXISTS (SELECT 1 FROM workspaces WHERE enabled)),
  ('program', EXISTS (SELECT 1 FROM programs WHERE enabled) AND EXISTS (SELECT 1 FROM workspaces WHERE enabled)),
  ('channel', EXISTS (SELECT 1 FROM channels WHERE enabled AND "runMessages")),
  ('data-source', EXISTS (SELECT 1 FROM data_sources WHERE enabled)),
  ('site', EXISTS (SELECT 1 FROM sites WHERE enabled))
) AS needs(need, "isMet") WHERE "isMet")`

/** Returns what this site has of what tools need. */
export async function readPresentNeeds(client: Tx): Promise<ReadonlySet<ToolNeed>> {
  const rows = await client.$queryRaw`SELECT ${presentNeeds} AS present`
  const [{ present }] = Present.parse(rows)
  return new Set(present)
}

const Present = z.tuple([z.object({ present: z.array(ToolNeed) })])
