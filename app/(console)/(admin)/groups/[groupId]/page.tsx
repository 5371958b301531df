import type { Metadata } from 'next'
import { VisibleText } from '@/components/trace/visible-text'
import { PageHead } from '@/components/ui/page-head'
import { requireAdmin } from '@/lib/auth/require-user'
import { listConfigurations } from '@/lib/domains/configurations/usable'
import { groups } from '@/lib/domains/groups/shape'
import { readReferenceChoices } from '@/lib/doors/reference-choices'
import { limitChoices } from '@/lib/toolset/api-key-verbs'
import { GroupActions } from '../group-form'
import { findGroupDetails } from './find-group-details'
import { GroupConfigurations } from './group-configurations'
import { GroupLimits } from './group-limits'
import { GroupMembers } from './group-members'

export const metadata: Metadata = { title: 'Group' }

export default async function GroupPage({ params }: { params: Promise<{ groupId: string }> }) {
  const ctx = await requireAdmin()
  const group = await findGroupDetails((await params).groupId)
  const configurations = await listConfigurations(ctx)
  const { toolGroups } = await limitChoices(ctx)
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-6 p-4 md:p-6">
      <PageHead
        title={<VisibleText text={group.name} />}
        action={<GroupActions group={group} choices={await readReferenceChoices(ctx, groups)} />}
      >
        {group.description ? <VisibleText text={group.description} /> : 'No description.'}
      </PageHead>
      <GroupConfigurations
        group={group}
        choices={configurations.map(({ id, name }) => ({ id, name }))}
      />
      <GroupLimits group={group} toolGroups={toolGroups} />
      <GroupMembers group={group} />
    </div>
  )
}
