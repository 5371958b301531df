import { listConnections } from '@toolgate/server/domains/connections/reads'
import type { Metadata } from 'next'
import Link from 'next/link'
import { PageHead } from '@/components/shell/page-head'
import { PageFrame } from '@/components/ui/page-frame'
import { requireAdmin } from '@/lib/next/require-user'
import { NoConnections } from '../discover/connection-picker'
import { NewModelForm } from './new-model-form'

export const metadata: Metadata = { title: 'Add model · Models' }

export default async function NewModelPage() {
  const ctx = await requireAdmin()
  const connections = await listConnections(ctx, {})
  return (
    <PageFrame kind="form">
      <PageHead title="Add model">
        By its id, or{' '}
        <Link href="/models/discover" className="text-link underline underline-offset-2">
          discover models
        </Link>
        .
      </PageHead>
      {connections.length === 0 ? (
        <NoConnections />
      ) : (
        <NewModelForm connections={connections.map(({ id, name }) => ({ id, name }))} />
      )}
    </PageFrame>
  )
}
