import { route } from '@/lib/http'
import { countPendingApprovals } from '@/lib/runs/list-approvals'

/** How many calls wait for a word that the asker may see: the badge in the navigation. */
export const GET = route({ role: 'member', scope: null }, async ({ ctx }) =>
  Response.json({ pending: await countPendingApprovals(ctx) }),
)
