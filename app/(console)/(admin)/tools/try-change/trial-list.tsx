import type { listTrials, readTrial } from '@toolgate/server/runs/replay/kept-trials'
import Link from 'next/link'
import { ChangedRuns, TrialSentences } from '@/components/trace/trial-result'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { countOf, formatCount } from '@/lib/words/format'

type Kept = Awaited<ReturnType<typeof listTrials>>[number]

const page = '/tools/try-change'

/** Lists results that are kept. `opened`: the one that the page shows. */
export function TrialList({ trials, opened }: { trials: readonly Kept[]; opened: string | null }) {
  return (
    <ul
      aria-label="Results of the last 24 hours"
      className="divide-y rounded-md border bg-surface-1 text-sm"
    >
      {trials.map(({ id, change, by, createdAt, changed, replayed, lost, ...narrowed }) => (
        <li
          key={id}
          className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1 px-3 py-2"
        >
          <Link
            href={`${page}?trial=${id}#result`}
            aria-current={id === opened ? 'true' : undefined}
            className="min-w-0 text-link underline underline-offset-2 [overflow-wrap:anywhere]"
          >
            <VisibleText text={change} />
          </Link>
          <span className="numeric text-muted [overflow-wrap:anywhere]">
            {lost > 0 && <span className="text-warning">Nobody could approve some calls. </span>}
            {formatCount(changed)} of {countOf(replayed, 'run')}
            <VisibleText text={ofRuns(narrowed)} /> changed, tried by <VisibleText text={by} />,{' '}
            <RelativeTime at={createdAt} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Returns " of Fast by Support" for runs of the configuration Fast and members of Support, with a space before it. */
function ofRuns({ configuration, group }: Pick<Kept, 'configuration' | 'group'>): string {
  const ofConfiguration = configuration === null ? '' : ` of ${configuration}`
  return `${ofConfiguration}${group === null ? '' : ` by ${group}`}`
}

/** Shows a result that was kept. null = it is kept no longer. */
export function OpenedTrial({ opened }: { opened: Awaited<ReturnType<typeof readTrial>> | null }) {
  if (opened === null)
    return (
      <ErrorNotice title="No result">
        This result is no longer kept. Results stay for 24 hours.
      </ErrorNotice>
    )
  const { kept, trial } = opened
  return (
    <Section
      id="result"
      title="Result"
      action={
        <Button asChild>
          <Link href={page} scroll={false}>
            Close
          </Link>
        </Button>
      }
    >
      <p className="text-muted [overflow-wrap:anywhere]">
        <VisibleText text={kept.change} />, on runs
        <VisibleText text={ofRuns(kept)} />, tried by <VisibleText text={kept.by} />,{' '}
        <RelativeTime at={kept.createdAt} />
      </p>
      <TrialSentences trial={trial} days={kept.days} />
      <ChangedRuns trial={trial} />
    </Section>
  )
}
