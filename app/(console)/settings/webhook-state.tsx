import { CircleCheck, TriangleAlert } from 'lucide-react'
import { RelativeTime } from '@/components/ui/relative-time'
import type { AlertWebhookListing } from '@/lib/budgets/alert-webhook'

/** How the newest alert fared. */
export function WebhookState({ webhook }: { webhook: AlertWebhookListing }) {
  const { lastError, lastDeliveredAt, waiting } = webhook
  if (lastError !== '') {
    return (
      <p className="flex items-start gap-1.5 text-error text-sm">
        <TriangleAlert className="mt-px size-4 shrink-0" aria-hidden />
        <span>
          The newest alert did not arrive. {lastError}{' '}
          {waiting > 0 && 'Toolgate sends it again at growing intervals for about a day.'}
        </span>
      </p>
    )
  }
  if (lastDeliveredAt === null) {
    return <p className="text-muted text-sm">No alert was sent yet.</p>
  }
  return (
    <p className="flex items-center gap-1.5 text-ok text-sm">
      <CircleCheck className="size-4" aria-hidden />
      <span>
        The last alert arrived <RelativeTime at={lastDeliveredAt} />.
      </span>
    </p>
  )
}
