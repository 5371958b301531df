import { usageWindow } from '@toolgate/server/domains/usage/usage-window'
import type { OwnOverview } from '@toolgate/server/doors/overview/read-own-overview'
import { Play } from 'lucide-react'
import Link from 'next/link'
import { BudgetBar } from '@/components/budgets/budget-bar'
import { addressOf } from '@/components/forms/address-of'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import { visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { RunLines } from './run-lines'
import { PaceLine, SpentFigure } from './spend-tile'
import { Tile } from './tile'
import { ownLines } from './waiting-lines'
import { WaitingList } from './waiting-list'

const shownTasks = 8

/** Shows a member's own work: what waits, their newest runs, what they may run, and what they spent. */
export function OwnView({ overview }: { overview: OwnOverview }) {
  return (
    <>
      <WaitingList lines={ownLines(overview)} />
      <div className="grid gap-3 lg:grid-cols-2">
        <OwnRuns overview={overview} />
        <OwnTasks tasks={overview.tasks} />
        <OwnSpend overview={overview} />
        <OwnBudgets budgets={overview.budgets} />
      </div>
    </>
  )
}

function OwnRuns({ overview: { newest, canRun } }: { overview: OwnOverview }) {
  return (
    <Tile title="Your newest runs" href="/runs">
      {newest.length > 0 && <RunLines label="Your newest runs" runs={newest} figure="started" />}
      {newest.length === 0 && !canRun && (
        <p className="text-muted">Ask an admin to add you to a group.</p>
      )}
      {newest.length === 0 && canRun && (
        <Button asChild variant="primary" className="self-start">
          <Link href="/playground">Run a prompt</Link>
        </Button>
      )}
    </Tile>
  )
}

function OwnTasks({ tasks }: Pick<OwnOverview, 'tasks'>) {
  return (
    <Tile title="Tasks" href="/tasks">
      {tasks.length === 0 && (
        <p className="text-muted">Saved prompts that you may run appear here.</p>
      )}
      {tasks.length > 0 && (
        <ul aria-label="Tasks" className="-mx-3 -mb-3 divide-y border-t">
          {tasks.slice(0, shownTasks).map(({ id, name, description }) => (
            <li key={id} className="flex min-h-10 items-center gap-3 px-3 py-1.5">
              <span className="min-w-0 flex-1">
                <span className="block truncate text-strong">
                  <VisibleText text={name} />
                </span>
                <span className="block truncate text-muted text-sm">
                  <VisibleText text={description} />
                </span>
              </span>
              <Button asChild>
                <Link href={`/playground?task=${id}`} aria-label={`Run ${visibleText(name)}`}>
                  <Play className="size-4" aria-hidden />
                  Run
                </Link>
              </Button>
            </li>
          ))}
          {tasks.length > shownTasks && (
            <li className="px-3 py-2">
              <Link href="/tasks" className="text-link hover:underline">
                {countOf(tasks.length - shownTasks, 'more task')}
              </Link>
            </li>
          )}
        </ul>
      )}
    </Tile>
  )
}

function OwnSpend({ overview: { spend, at } }: { overview: OwnOverview }) {
  const { from } = usageWindow('this-month', at)
  return (
    <Tile title="Your spend this month" href={addressOf('/runs', { usedFrom: from.toISOString() })}>
      <SpentFigure spend={spend} />
      <PaceLine spend={spend} now={at} />
    </Tile>
  )
}

function OwnBudgets({ budgets }: Pick<OwnOverview, 'budgets'>) {
  return (
    <Tile title="Your budgets" href={null}>
      {budgets.length === 0 ? (
        <p className="text-muted">No budget limits your runs.</p>
      ) : (
        <ul aria-label="Your budgets" className="flex flex-col gap-3">
          {budgets.map(({ id, title, unit, amount, spent, left, resetsAt }) => (
            <li key={id} className="flex min-w-0 flex-col gap-1">
              <span className="text-strong [overflow-wrap:anywhere]">
                <VisibleText text={title} />
              </span>
              <BudgetBar
                unit={unit}
                amount={amount}
                spent={spent}
                spentAtLeast={false}
                reserved={Math.max(0, amount - spent - left)}
              />
              <span className="text-muted text-sm">
                Resets <RelativeTime at={resetsAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Tile>
  )
}
