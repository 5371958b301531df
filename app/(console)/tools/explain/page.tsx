import { SearchX } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { VerdictList } from '@/components/explain/verdict-list'
import { AddressFilter, type FilterField } from '@/components/forms/address-filter'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHead } from '@/components/ui/page-head'
import { requireAdmin } from '@/lib/auth/require-user'
import type { GovernedConfiguration } from '@/lib/configurations/governed-configuration'
import { listGovernedConfigurations } from '@/lib/configurations/list-governed-configurations'
import { explainTools } from '@/lib/toolset/explain-tools'
import { listUsers } from '@/lib/users/list-users'
import type { UserListing } from '@/lib/users/schemas'
import { filterExplained, readExplainFilter } from './explain-filter'

export const metadata: Metadata = { title: 'Explain' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

export default async function ExplainPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const filter = readExplainFilter(await searchParams)
  const [users, configurations] = await Promise.all([
    listUsers(ctx),
    listGovernedConfigurations(ctx),
  ])
  const user = users.find(({ id }) => id === filter.user)
  const configuration = configurations.find(({ id }) => id === filter.configuration)
  const about = { userId: user?.id ?? ctx.actor.userId, configurationId: configuration?.id ?? null }
  const all = await explainTools(ctx, {
    userId: about.userId,
    configuration: about.configurationId,
    selected: null,
  })
  const shown = filterExplained(all, filter)
  const allowed = all.filter(({ verdict }) => verdict.allowed).length
  const who = user?.email ?? ctx.actor.email
  const withWhat = configuration ? ` with ${configuration.name}` : ''
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <PageHead title="Explain" action={<BackLink />}>
        What a run would be offered if it began now, and the first gate that says no to the rest.
        Each call asks the same gates again.
      </PageHead>
      <AddressFilter
        path="/tools/explain"
        fields={fieldsOf(users, configurations)}
        values={filter}
        count={`${allowed} of ${all.length} tools allowed for ${who}${withWhat}`}
      />
      <h2 className="sr-only">Verdicts</h2>
      {shown.length > 0 ? <VerdictList tools={shown} about={about} /> : <Nothing />}
    </div>
  )
}

function fieldsOf(users: UserListing[], configurations: GovernedConfiguration[]): FilterField[] {
  return [
    {
      type: 'choice',
      name: 'user',
      label: 'User',
      any: 'Myself',
      options: users.map(({ id, email, role, disabled }) => ({
        value: id,
        label: email,
        hint: disabled ? `${role}, disabled` : role,
      })),
    },
    {
      type: 'choice',
      name: 'configuration',
      label: 'Configuration',
      any: 'No configuration',
      options: configurations.map(({ id, name, identifier }) => ({
        value: id,
        label: name,
        hint: identifier,
      })),
    },
    {
      type: 'choice',
      name: 'verdict',
      label: 'Verdict',
      any: 'Allowed or not',
      options: [
        { value: 'allowed', label: 'Allowed' },
        { value: 'refused', label: 'Refused' },
      ],
    },
    { type: 'search', name: 'search', label: 'Search tools' },
  ]
}

function BackLink() {
  return (
    <Button asChild>
      <Link href="/tools">All switches</Link>
    </Button>
  )
}

function Nothing() {
  return (
    <EmptyState icon={SearchX} title="No tool fits this filter">
      Search looks at name, group and reason.
    </EmptyState>
  )
}
