import { readAdminOverview } from '@toolgate/server/doors/overview/read-admin-overview'
import { readOwnOverview } from '@toolgate/server/doors/overview/read-own-overview'
import type { Metadata } from 'next'
import { PageHead } from '@/components/shell/page-head'
import { PageFrame } from '@/components/ui/page-frame'
import { readerZone } from '@/lib/next/reader-zone'
import { requireUser } from '@/lib/next/require-user'
import { AdminView } from './admin-view'
import { OwnView } from './own-view'

export const metadata: Metadata = { title: 'Overview' }

/** Shows the first page after signing in. */
export default async function OverviewPage() {
  const ctx = await requireUser()
  const isAdmin = ctx.actor.role === 'admin'
  return (
    <PageFrame kind="list">
      <PageHead title="Overview">
        {isAdmin
          ? 'Open work, health and spending of this site.'
          : 'Your runs, tasks and spending.'}
      </PageHead>
      {isAdmin ? (
        <AdminView overview={await readAdminOverview(ctx, await readerZone())} />
      ) : (
        <OwnView overview={await readOwnOverview(ctx)} />
      )}
    </PageFrame>
  )
}
