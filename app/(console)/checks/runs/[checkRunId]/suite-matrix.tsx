import Link from 'next/link'
import { VerdictPill } from '@/components/checks/verdict-pill'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import type { ShownCheck } from './ordered-results'

/** Shows the verdict on each check of a suite with each configuration; the checks that are red come first. */
export function SuiteMatrix({ checks }: { checks: readonly ShownCheck[] }) {
  const configurations = new Map(
    checks.map((each) => [each.configurationId, each.configurationName]),
  )
  const byCheck = new Map<string, ShownCheck[]>()
  for (const each of checks) byCheck.set(each.checkId, [...(byCheck.get(each.checkId) ?? []), each])
  return (
    <div className="overflow-x-auto rounded-md border bg-surface-1">
      <table aria-label="Results of the suite" className="w-full text-left text-sm">
        <thead className="border-b bg-surface-2">
          <tr>
            <th scope="col" className="px-3 py-2 font-medium">
              Check
            </th>
            {[...configurations].map(([id, name]) => (
              <th
                key={id}
                scope="col"
                className="min-w-32 px-3 py-2 font-medium [overflow-wrap:anywhere]"
              >
                <VisibleText text={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {[...byCheck].map(([checkId, own]) => (
            <tr key={checkId}>
              <th scope="row" className="px-3 py-2 font-normal [overflow-wrap:anywhere]">
                <Link href={`/checks/${checkId}`} className="text-link hover:underline">
                  <VisibleText text={own[0]?.checkName ?? ''} />
                </Link>
              </th>
              {[...configurations.keys()].map((id) => (
                <td key={id} className="px-3 py-2">
                  <Cell check={own.find(({ configurationId }) => configurationId === id)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Shows one verdict, and what changed since the run before it. */
function Cell({ check }: { check: ShownCheck | undefined }) {
  if (!check) return <span className="text-muted">not in it</span>
  const { verdict, before, isNew, configurationVersion: now, versionBefore } = check
  const isChanged = versionBefore !== null && now !== null && versionBefore !== now
  return (
    <span className="flex flex-wrap items-center gap-1">
      <VerdictPill verdict={verdict} />
      {isNew && <Badge>Passed before</Badge>}
      {before === 'failed' && verdict === 'passed' && <Badge>Failed before</Badge>}
      {isChanged && (
        <span className="text-muted">
          version {versionBefore} to {now}
        </span>
      )}
    </span>
  )
}
