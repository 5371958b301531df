import { readUser } from '@toolgate/server/domains/users/reads'
import type { Ctx } from '@toolgate/server/kernel/context'
import { NotFoundError } from '@toolgate/server/kernel/errors'
import { explainTools } from '@toolgate/server/toolset/policy/explain-tools'
import Link from 'next/link'
import { UserNotFound, VerdictList } from '@/components/explain/verdict-list'
import { AddressFilter, type FilterField } from '@/components/forms/address-filter'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/section'
import { countOf } from '@/lib/words/format'

type Props = {
  ctx: Ctx
  configurationId: string
  query: Record<string, string | string[] | undefined>
}

/** Shows the tools that a run of the picked person would be offered now. */
export async function Offer({ ctx, configurationId, query }: Props) {
  const picked = typeof query.user === 'string' && query.user !== '' ? query.user : undefined
  const person = await readPerson(ctx, picked)
  const tools = person
    ? await explainTools(ctx, { userId: person.id, configuration: configurationId, selected: null })
    : []
  const allowed = tools.filter(({ verdict }) => verdict.allowed).length
  const field: FilterField = {
    type: 'person',
    name: 'user',
    label: 'Person',
    any: 'Myself',
    chosen: picked === undefined ? null : (person?.name ?? 'Nobody'),
  }
  return (
    <Section
      id="offer"
      title="Tools offered"
      action={person && <ExplainLink userId={person.id} configurationId={configurationId} />}
    >
      <AddressFilter
        fields={[field]}
        count={person ? `${allowed} of ${countOf(tools.length, 'tool')} allowed` : ''}
      />
      {person ? (
        <VerdictList tools={tools} about={{ userId: person.id, configurationId }} />
      ) : (
        <UserNotFound />
      )}
    </Section>
  )
}

function ExplainLink({ userId, configurationId }: { userId: string; configurationId: string }) {
  const query = new URLSearchParams({ user: userId, configuration: configurationId })
  return (
    <Button asChild size="sm">
      <Link href={`/tools/explain?${query}`}>Explain</Link>
    </Button>
  )
}

/** Returns the person; null = nobody has this id. */
async function readPerson(ctx: Ctx, userId: string | undefined) {
  try {
    return await readUser(ctx, userId ?? ctx.actor.userId)
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}
