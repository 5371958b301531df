import type { Metadata } from 'next'
import { VisibleText } from '@/components/trace/visible-text'
import { PageFrame } from '@/components/ui/page-frame'
import { PageHead } from '@/components/ui/page-head'
import { requireAdmin } from '@/lib/auth/require-user'
import { readEditableConfiguration } from '@/lib/domains/configurations/reads'
import { pageTitle } from '@/lib/protocol/page-title'
import { ConfigurationForm } from '../../form/configuration-form'
import { readFormChoices } from '../../form/read-form-choices'
import { findConfiguration } from '../find-configuration'

type Props = { params: Promise<{ configurationId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await findConfiguration((await params).configurationId)
  return pageTitle(`Edit ${name}`, 'Configurations')
}

export default async function EditConfigurationPage({ params }: Props) {
  const ctx = await requireAdmin()
  const { id, name } = await findConfiguration((await params).configurationId)
  const [stored, choices] = await Promise.all([
    readEditableConfiguration(ctx, { id }),
    readFormChoices(ctx),
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
      <ConfigurationForm stored={stored} choices={choices} />
    </PageFrame>
  )
}
