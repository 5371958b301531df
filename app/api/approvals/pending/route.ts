import { countUnseenAlerts } from '@toolgate/server/domains/budgets/list-alerts'
import { route } from '@toolgate/server/doors/http'
import { countPendingApprovals } from '@toolgate/server/runs/approvals/list-approvals'
import { countNewConsents } from '@toolgate/server/toolset/schedules/consent-verbs'

/**
 * Answers the numbers of the navigation's badges: calls that wait for approval, schedules that ask to run as the reader, and budget
 * alerts that nobody has seen.
 */
export const GET = route({ role: 'member', scope: null }, async ({ ctx }) => {
  const [pending, alerts, consents] = await Promise.all([
    countPendingApprovals(ctx),
    countUnseenAlerts(ctx),
    countNewConsents(ctx),
  ])
  return Response.json({ pending, alerts, consents })
})
