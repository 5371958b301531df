import { readEditableConfiguration } from '@toolgate/server/domains/configurations/reads'
import { readRunChanges } from '@toolgate/server/runs/start/changeable'
import type { Metadata } from 'next'
import { withChanges } from '@/app/(console)/(admin)/configurations/form/configuration-draft'
import { ConfigurationForm } from '@/app/(console)/(admin)/configurations/form/configuration-form'
import { readFormChoices } from '@/app/(console)/(admin)/configurations/form/read-form-choices'
import { DifferenceList } from '@/components/nouns/difference-list'
import { PageHead } from '@/components/shell/page-head'
import { VisibleText } from '@/components/trace/visible-text'
import { PageFrame } from '@/components/ui/page-frame'
import { Section } from '@/components/ui/section'
import {
  type ConfigurationDifference,
  diffConfigurations,
  emptyListWords,
} from '@/lib/domains/configurations/shared/configuration-differences'
import { orNotFound } from '@/lib/next/or-not-found'
import { requireAdmin } from '@/lib/next/require-user'
import { pageTitle } from '@/lib/words/page-title'
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
  const changed = changes && withChanges(stored.form, changes, choices.models)
  return (
    <PageFrame kind="form">
      <PageHead
        title={
          <>
            Edit <VisibleText text={name} />
          </>
        }
      >
        Applies to new runs. Removed tools also leave active runs.
      </PageHead>
      {changed && <ChangesNotice differences={diffConfigurations(stored.form, changed)} />}
      <ConfigurationForm stored={stored} choices={choices} changed={changed} />
    </PageFrame>
  )
}

/** Says what the form has that nobody has saved yet. */
function ChangesNotice({ differences }: { differences: ConfigurationDifference[] }) {
  if (differences.length === 0) {
    return <p>The configuration already has these changes.</p>
  }
  return (
    <Section title="Changes of the run">
      <p>Not saved yet.</p>
      <DifferenceList
        differences={differences}
        sides={['Stored', 'In the form']}
        emptyWords={emptyListWords}
      />
    </Section>
  )
}
