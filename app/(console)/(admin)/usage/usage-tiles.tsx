import Link from 'next/link'
import type { ReactNode } from 'react'
import { Cost } from '@/components/ui/cost'
import {
  atMostWords,
  boundOf,
  isUnpriced,
  reportedWords,
} from '@/lib/domains/usage/shared/cost-words'
import type { UsageFigures } from '@/lib/domains/usage/shared/usage-figures'
import { countOf, formatCount, formatDuration } from '@/lib/words/format'
import { changeText } from './usage-words'

type Tile = {
  name: string
  value: ReactNode
  /** The change since the period before; null = there is no earlier data. */
  change: string | null
  notes: string[]
  /** Further notes, without a link. */
  remarks?: string[]
  warns?: boolean
}

/** Shows the sums of a period beside those of the period before. */
export function UsageTiles({
  now,
  before,
  unpricedHref,
}: {
  now: UsageFigures
  before: UsageFigures
  unpricedHref: string
}) {
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
        {tilesOf(now, before).map(({ name, value, change, notes, remarks = [], warns }) => (
          <div
            key={name}
            className="flex min-w-0 flex-col gap-0.5 rounded-md border bg-surface-1 p-3"
          >
            <dt className="text-muted text-sm">{name}</dt>
            <dd className="numeric font-semibold text-strong text-xl [overflow-wrap:anywhere]">
              {value}
            </dd>
            <dd className="text-muted text-sm">{change ?? 'No earlier data'}</dd>
            {notes.map((note) => (
              <dd key={note} className={warns ? 'text-sm text-warning' : 'text-muted text-sm'}>
                {name === 'Cost' ? (
                  <Link href={unpricedHref} className="underline underline-offset-2">
                    {note}
                  </Link>
                ) : (
                  note
                )}
              </dd>
            ))}
            {remarks.map((remark) => (
              <dd key={remark} className="text-muted text-sm">
                {remark}
              </dd>
            ))}
          </div>
        ))}
      </dl>
      <p className="-mt-3 text-muted text-sm">Compared with the period before.</p>
    </>
  )
}

/** Returns the change of the cost; sums that lack unpriced requests cannot be compared. */
function costChange(now: UsageFigures, before: UsageFigures): string | null {
  if (before.calls === 0) return null
  if (now.unpriced + before.unpriced > 0) return 'Not comparable: unpriced requests'
  return changeText(now.costMicroUsd, before.costMicroUsd)
}

function tilesOf(now: UsageFigures, before: UsageFigures): Tile[] {
  const tokens = (figures: UsageFigures) => figures.inputTokens + figures.outputTokens
  return [
    {
      name: 'Cost',
      value: <Cost microUsd={isUnpriced(now) ? null : now.costMicroUsd} bound={boundOf(now)} />,
      change: costChange(now, before),
      notes: now.unpriced > 0 ? [`${countOf(now.unpriced, 'request')} unpriced`] : [],
      remarks: [atMostWords(now), reportedWords(now)].filter((words) => words !== ''),
      warns: true,
    },
    {
      name: 'Tokens',
      value: formatCount(tokens(now)),
      change: changeText(tokens(now), tokens(before)),
      notes: [`${formatCount(now.inputTokens)} in, ${formatCount(now.outputTokens)} out`],
    },
    {
      name: 'Requests',
      value: formatCount(now.calls),
      change: changeText(now.calls, before.calls),
      notes: now.retries > 0 ? [`${formatCount(now.retries)} retries`] : [],
    },
    {
      name: 'Runs',
      value: formatCount(now.runs),
      change: changeText(now.runs, before.runs),
      notes: [],
    },
    {
      name: 'Latency, median (p50)',
      value: now.p50Ms === null ? '–' : formatDuration(now.p50Ms),
      change: changeText(now.p50Ms, before.p50Ms),
      notes: now.p95Ms === null ? [] : [`p95: ${formatDuration(now.p95Ms)}`],
    },
    {
      name: 'Errors',
      value: formatCount(now.errors),
      change: changeText(now.errors, before.errors),
      notes: [`${formatCount(now.rescues)} recovered by fallback`],
    },
  ]
}
