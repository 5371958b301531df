import { countUnseenAlerts } from '@/lib/budgets/list-alerts'
import { route } from '@/lib/http'
import { countPendingApprovals } from '@/lib/runs/list-approvals'

/** What waits for the asker: calls for a word, and alerts of budgets to be seen. The badges in the navigation. */
export const GET = route({ role: 'member', scope: null }, async ({ ctx }) => {
  const [pending, alerts] = await Promise.all([countPendingApprovals(ctx), countUnseenAlerts(ctx)])
  return Response.json({ pending, alerts })
})
