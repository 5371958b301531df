import { listGovernedConfigurations } from '@toolgate/server/domains/configurations/reads'
import { listGroupNames } from '@toolgate/server/domains/groups/reads'
import type { Ctx } from '@toolgate/server/kernel/context'
import { NotFoundError } from '@toolgate/server/kernel/errors'
import { listTrials, readTrial } from '@toolgate/server/runs/replay/kept-trials'
import { FlaskConical } from 'lucide-react'
import type { Metadata } from 'next'
import { PageHead } from '@/components/shell/page-head'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { Section } from '@/components/ui/section'
import { requireAdmin } from '@/lib/next/require-user'
import { ChangeForm } from './change-form'
import { OpenedTrial, TrialList } from './trial-list'

export const metadata: Metadata = { title: 'Try a change' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

/** Tries a change of the policy on past runs, and shows what admins tried in the last 24 hours. */
export default async function TryChangePage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const { trial } = await searchParams
  const [configurations, groups, trials, opened] = await Promise.all([
    listGovernedConfigurations(ctx, {}),
    listGroupNames(ctx),
    listTrials(ctx),
    typeof trial === 'string' ? readKept(ctx, trial) : null,
  ])
  const named = ({ id, name }: { id: string; name: string }) => ({ id, name })
  return (
    <PageFrame kind="detail">
      <PageHead title="Try a change">Replays past runs with a change. Nothing is called.</PageHead>
      <ChangeForm configurations={configurations.map(named)} groups={groups.map(named)} />
      {typeof trial === 'string' && <OpenedTrial opened={opened} />}
      <Section title="Last 24 hours">
        <p className="text-muted">All admins can read these results for 24 hours.</p>
        {trials.length > 0 ? (
          <TrialList trials={trials} opened={opened?.kept.id ?? null} />
        ) : (
          <EmptyState icon={FlaskConical} title="No results yet">
            Enter a change above and test it.
          </EmptyState>
        )}
      </Section>
    </PageFrame>
  )
}

/** Returns a kept result; null = it is kept no longer, or never was. */
async function readKept(ctx: Ctx, id: string) {
  try {
    return await readTrial(ctx, id)
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}
