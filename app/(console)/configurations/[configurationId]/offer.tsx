import Link from 'next/link'
import { VerdictList } from '@/components/explain/verdict-list'
import { AddressFilter, type FilterField } from '@/components/forms/address-filter'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/section'
import type { Ctx } from '@/lib/context'
import { explainTools } from '@/lib/toolset/explain-tools'
import { listUsers } from '@/lib/users/list-users'

type Props = {
  ctx: Ctx
  configurationId: string
  query: Record<string, string | string[] | undefined>
}

/** What a run of the picked person would be offered with it now. */
export async function Offer({ ctx, configurationId, query }: Props) {
  const users = await listUsers(ctx)
  const user = users.find(({ id }) => id === query.user)
  const userId = user?.id ?? ctx.actor.userId
  const tools = await explainTools(ctx, {
    userId,
    configuration: configurationId,
    selected: null,
  })
  const allowed = tools.filter(({ verdict }) => verdict.allowed).length
  const field: FilterField = {
    type: 'choice',
    name: 'user',
    label: 'Whose run',
    any: 'Myself',
    options: users.map(({ id, email, role }) => ({ value: id, label: email, hint: role })),
  }
  const explain = new URLSearchParams({ user: userId, configuration: configurationId })
  return (
    <Section
      title="What its runs are offered"
      action={
        <Button asChild size="sm">
          <Link href={`/tools/explain?${explain}`}>Open in Explain</Link>
        </Button>
      }
    >
      <AddressFilter
        path={`/configurations/${configurationId}`}
        fields={[field]}
        values={{ user: user?.id }}
        count={`${allowed} of ${tools.length} tools allowed for ${user?.email ?? ctx.actor.email}`}
      />
      <VerdictList tools={tools} about={{ userId, configurationId }} />
    </Section>
  )
}
