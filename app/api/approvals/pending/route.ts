import { countUnseenAlerts } from '@/lib/domains/budgets/list-alerts'
import { route } from '@/lib/kernel/http'
import { countPendingApprovals } from '@/lib/runs/list-approvals'

/**
 * Answers the numbers of the navigation's badges: calls that wait for approval, and budget alerts that nobody has seen.
 */
export const GET = route({ role: 'member', scope: null }, async ({ ctx }) => {
  const [pending, alerts] = await Promise.all([countPendingApprovals(ctx), countUnseenAlerts(ctx)])
  return Response.json({ pending, alerts })
})
