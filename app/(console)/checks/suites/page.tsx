import { listConfigurations } from '@toolgate/server/domains/configurations/usable'
import { listSuites } from '@toolgate/server/runs/checks/read-check-runs'
import { Layers } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { VerdictPill } from '@/components/checks/verdict-pill'
import { PageHead } from '@/components/shell/page-head'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { RelativeTime } from '@/components/ui/relative-time'
import { requireUser } from '@/lib/next/require-user'
import { countOf } from '@/lib/words/format'
import { RunSuite } from './run-suite'

export const metadata: Metadata = { title: 'Suites' }

const suiteHref = (name: string) => `/checks/suites/${encodeURIComponent(name)}`

/** Shows the suites of the checks that the reader may see, each with its newest run. */
export default async function SuitesPage() {
  const ctx = await requireUser()
  const [{ suites }, configurations] = await Promise.all([
    listSuites(ctx, {}),
    listConfigurations(ctx),
  ])
  const choices = configurations.map(({ id, name }) => ({ id, name }))
  return (
    <PageFrame kind="list">
      <PageHead title="Suites">Checks that run together.</PageHead>
      {suites.length === 0 ? (
        <EmptyState
          icon={Layers}
          title="No suites yet"
          action={
            <Button asChild variant="primary">
              <Link href="/checks">Open checks</Link>
            </Button>
          }
        >
          Edit a check and name the suites that it is in.
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-2">
          {suites.map(({ name, checks, last }) => (
            <li key={name}>
              <Card className="flex flex-wrap items-center gap-x-4 gap-y-2 p-3">
                <h2 className="font-medium text-strong [overflow-wrap:anywhere]">
                  <Link href={suiteHref(name)} className="hover:text-link hover:underline">
                    <VisibleText text={name} />
                  </Link>
                </h2>
                <span className="text-muted text-sm">{countOf(checks, 'check')}</span>
                {last ? (
                  <Link
                    href={`/checks/runs/${last.id}`}
                    className="flex items-center gap-2 text-link text-sm hover:underline"
                  >
                    <VerdictPill verdict={last.verdict} />
                    <RelativeTime at={last.createdAt} />
                  </Link>
                ) : (
                  <span className="text-muted text-sm">Not run yet</span>
                )}
                <span className="ml-auto">
                  <RunSuite suite={name} configurations={choices} />
                </span>
              </Card>
            </li>
          ))}
        </ul>
      )}
    </PageFrame>
  )
}
