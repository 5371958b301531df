import type { Metadata } from 'next'
import { VisibleText } from '@/components/trace/visible-text'
import { PageFrame } from '@/components/ui/page-frame'
import { PageHead } from '@/components/ui/page-head'
import { orNotFound } from '@/lib/auth/or-not-found'
import { requireAdmin } from '@/lib/auth/require-user'
import { readEditableConfiguration } from '@/lib/domains/configurations/reads'
import { pageTitle } from '@/lib/protocol/page-title'
import { readRunChanges } from '@/lib/runs/changeable'
import { ConfigurationForm } from '../../form/configuration-form'
import { readFormChoices } from '../../form/read-form-choices'
import { findConfiguration } from '../find-configuration'

type Props = {
  params: Promise<{ configurationId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await findConfiguration((await params).configurationId)
  return pageTitle(`Edit ${name}`, 'Configurations')
}

/** Shows the form of a configuration. `?run=` puts in what a run has otherwise, unsaved. */
export default async function EditConfigurationPage({ params, searchParams }: Props) {
  const ctx = await requireAdmin()
  const { id, name } = await findConfiguration((await params).configurationId)
  const { run } = await searchParams
  const [stored, choices, changes] = await Promise.all([
    readEditableConfiguration(ctx, { id }),
    readFormChoices(ctx),
    typeof run === 'string' ? orNotFound(() => readRunChanges(ctx, run, id)) : null,
  ])
  return (
    <PageFrame kind="form">
      <PageHead
        title={
          <>
            Edit <VisibleText text={name} />
          </>
        }
      >
        Changes apply to runs that start after you save. Active runs keep their settings, but lose
        tools that you remove here.
      </PageHead>
      {changes && <ChangesNotice />}
      <ConfigurationForm stored={stored} choices={choices} changes={changes} />
    </PageFrame>
  )
}

/** Says that the form has changes which nobody has saved yet. */
function ChangesNotice() {
  return (
    <p className="rounded-md border bg-surface-1 p-3">
      The form has what the run changed. Nothing is saved yet: review the difference, then save.
    </p>
  )
}
