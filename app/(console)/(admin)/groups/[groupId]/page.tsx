import { listConfigurations } from '@toolgate/server/domains/configurations/usable'
import { limitChoices } from '@toolgate/server/joined-verbs'
import type { Metadata } from 'next'
import { PageHead } from '@/components/shell/page-head'
import { VisibleText } from '@/components/trace/visible-text'
import { PageFrame } from '@/components/ui/page-frame'
import { groups } from '@/lib/domains/groups/shape'
import { readReferenceChoices } from '@/lib/next/reference-choices'
import { requireAdmin } from '@/lib/next/require-user'
import { pageTitle } from '@/lib/words/page-title'
import { GroupActions, Losses } from '../group-form'
import { findGroupDetails } from './find-group-details'
import { GroupConfigurations } from './group-configurations'
import { GroupLimits } from './group-limits'
import { GroupMembers } from './group-members'

type Props = { params: Promise<{ groupId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await findGroupDetails((await params).groupId)
  return pageTitle(name, 'Groups')
}

export default async function GroupPage({ params }: Props) {
  const ctx = await requireAdmin()
  const group = await findGroupDetails((await params).groupId)
  const configurations = await listConfigurations(ctx)
  const { toolGroups } = await limitChoices(ctx)
  return (
    <PageFrame kind="detail">
      <PageHead
        title={<VisibleText text={group.name} />}
        action={
          <GroupActions
            object={group}
            choices={await readReferenceChoices(ctx, groups)}
            removal={<Losses group={group} />}
          />
        }
      >
        {group.description ? <VisibleText text={group.description} /> : 'No description.'}
      </PageHead>
      <GroupConfigurations
        group={group}
        choices={configurations.map(({ id, name }) => ({ id, name }))}
      />
      <GroupLimits group={group} toolGroups={toolGroups} />
      <GroupMembers group={group} />
    </PageFrame>
  )
}
