import type { ConfigurationUses } from '@toolgate/server/domains/configurations/schemas'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { VisibleText } from '@/components/trace/visible-text'
import { Section } from '@/components/ui/section'
import { countOf } from '@/lib/words/format'

type Props = { configurationId: string; uses: ConfigurationUses }

/** Shows who uses the configuration and how often: runs, and the tasks, groups, rules and budgets that there are. */
export function UsedBy({ configurationId, uses }: Props) {
  const { tasks, groups, rules, budgets, runs, going } = uses
  const runsHere = `/runs?configuration=${configurationId}`
  const rows: [string, ReactNode][] = [
    [
      'Runs in 30 days',
      <Link key="runs" href={runsHere} className="text-link underline underline-offset-2">
        {countOf(runs, 'run')}
        {going > 0 && `, ${going} active`}
      </Link>,
    ],
    ['Tasks', tasks.length > 0 && <Names key="tasks" things={tasks} page="/tasks" />],
    ['Groups', groups.length > 0 && <Names key="groups" things={groups} page="/groups" />],
    ['Rules', rules.length > 0 && <Names key="rules" things={rules} page="/approvals/rules" />],
    [
      'Budgets',
      budgets.length > 0 && (
        <Link key="budgets" href="/budgets" className="text-link underline underline-offset-2">
          {budgets.map(({ window, unit }) => `${unitWords[unit]} a ${window}`).join(', ')}
        </Link>
      ),
    ],
  ]
  const shown = rows.filter(([, value]) => value !== false)
  return (
    <Section title="Used by">
      <dl className="grid max-w-3xl grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        {shown.map(([term, value]) => (
          <div key={term} className="contents">
            <dt className="text-muted">{term}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

const unitWords = { requests: 'requests', tokens: 'tokens', micro_usd: 'money' } as const

function Names({ things, page }: { things: { id: string; name: string }[]; page: string }) {
  return things.map(({ id, name }, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <Link href={`${page}/${id}`} className="text-link underline underline-offset-2">
        <VisibleText text={name} />
      </Link>
    </span>
  ))
}
