import { withPersonNames } from '@toolgate/server/domains/users/person-names'
import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import {
  ConversationFilter,
  listConversations,
} from '@toolgate/server/runs/conversations/conversations'
import { MessagesSquare } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import type { FilterField } from '@/components/forms/address-filter'
import { ListFrame } from '@/components/list/list-frame'
import { PageHead } from '@/components/shell/page-head'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { requireUser } from '@/lib/next/require-user'
import { ConversationList } from './conversation-list'

export const metadata: Metadata = { title: 'Conversations · Runs' }

const fields: readonly FilterField[] = [
  { type: 'search', name: 'search', label: 'Search conversations' },
  {
    type: 'choice',
    name: 'archived',
    label: 'State',
    any: 'Not archived',
    options: [{ value: 'yes', label: 'Archived' }],
  },
]

type SearchParams = Promise<Record<string, string | string[] | undefined>>

export default async function ConversationsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireUser()
  const filter = lenientQuery(ConversationFilter, await searchParams)
  const { conversations, total } = await listConversations(ctx, filter)
  const rows = await withPersonNames(
    conversations.map((each) => ({ ...each, isOwn: each.userEmail === ctx.actor.email })),
    ['userEmail'],
  )
  const { page, pageSize, ...values } = filter
  const admin = ctx.actor.role === 'admin'
  const address = { path: '/runs/conversations', values, page, sort: null }
  return (
    <PageFrame kind="list">
      <PageHead title="Conversations">Runs that continue one another.</PageHead>
      <ListFrame
        thing="conversation"
        address={address}
        fields={fields}
        total={total}
        pageSize={pageSize}
        searched="names and prompts"
        nothing={<NoConversations />}
      >
        <ConversationList rows={rows} admin={admin} address={address} />
      </ListFrame>
    </PageFrame>
  )
}

function NoConversations() {
  return (
    <EmptyState
      icon={MessagesSquare}
      title="No conversations yet"
      action={
        <Button asChild variant="primary">
          <Link href="/playground">Run a prompt</Link>
        </Button>
      }
    >
      Continue a finished run to begin one.
    </EmptyState>
  )
}
