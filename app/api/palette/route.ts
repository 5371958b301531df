import { route } from '@toolgate/server/doors/http'
import { searchConsole } from '@toolgate/server/doors/palette/search-console'
import { z } from 'zod'

const Query = z.object({ q: z.string().max(200).default('') })

/** Answers what the command palette shows for a query, limited to what the person may see. */
export const GET = route({ role: 'member', scope: null, query: Query }, async ({ ctx, query }) =>
  Response.json(await searchConsole(ctx, query.q)),
)
