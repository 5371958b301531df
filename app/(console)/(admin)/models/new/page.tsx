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
        Add a model by its id.{' '}
        <Link href="/models/discover" className="text-link underline underline-offset-2">
          Discover models
        </Link>{' '}
        can fill in what the provider and the catalogue know.
      </PageHead>
      {connections.length === 0 ? (
        <NoConnections />
      ) : (
        <NewModelForm connections={connections.map(({ id, name }) => ({ id, name }))} />
      )}
    </PageFrame>
  )
}
