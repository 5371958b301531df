import { z } from 'zod'
import { route } from '@/lib/http'
import { searchConsole } from '@/lib/palette/search-console'

const Query = z.object({ q: z.string().max(200).default('') })

/** What the command palette shows for a query; each person gets what they may see. */
export const GET = route({ role: 'member', scope: null, query: Query }, async ({ ctx, query }) =>
  Response.json(await searchConsole(ctx, query.q)),
)
