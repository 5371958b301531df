import { Cpu } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { PageHead } from '@/components/shell/page-head'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { requireAdmin } from '@/lib/next/require-user'
import { ConfigurationForm } from '../form/configuration-form'
import { readFormChoices } from '../form/read-form-choices'

export const metadata: Metadata = { title: 'Add configuration · Configurations' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

/** Shows the page that adds a configuration. `?model=` picks a model that was just added. */
export default async function NewConfigurationPage({
  searchParams,
}: {
  searchParams: SearchParams
}) {
  const ctx = await requireAdmin()
  const { model: wanted } = await searchParams
  const choices = await readFormChoices(ctx)
  const picked = choices.models.find(({ id }) => id === wanted)
  return (
    <PageFrame kind="form">
      <PageHead title="Add configuration">What a run starts with.</PageHead>
      {choices.models.length === 0 ? (
        <EmptyState
          icon={Cpu}
          title="No models yet"
          action={
            <Button asChild variant="primary">
              <Link href="/connections">Go to Connections</Link>
            </Button>
          }
        >
          A configuration needs a model. Connect one first.
        </EmptyState>
      ) : (
        <ConfigurationForm stored={null} choices={choices} modelId={picked?.id} />
      )}
    </PageFrame>
  )
}
