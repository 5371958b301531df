import type { Lineage, RelatedRun } from '@toolgate/server/runs/lists/lineage'
import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { Fact } from '@/components/ui/fact'
import { formatCount } from '@/lib/words/format'

/** Shows the run that a run is, with a change, and the runs that are it with a change. */
export function LineageFacts({ runId, lineage }: { runId: string; lineage: Lineage }) {
  const { from, changed, more } = lineage
  if (!from && changed.length === 0) return null
  return (
    <section aria-label="Runs with a change" className="rounded-md border bg-surface-1 p-3">
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
        {from && (
          <Fact label="Changed from">
            <Related run={from} compare={`/runs/${runId}/compare?with=${from.runId}`} />
          </Fact>
        )}
        {changed.length > 0 && (
          <Fact label="Run again with a change">
            <ul className="flex flex-col gap-1">
              {changed.map((run) => (
                <li key={run.runId}>
                  <Related run={run} compare={`/runs/${run.runId}/compare?with=${runId}`} />
                </li>
              ))}
              {more > 0 && <li className="text-muted">and {formatCount(more)} more</li>}
            </ul>
          </Fact>
        )}
      </dl>
    </section>
  )
}

function Related({ run, compare }: { run: RelatedRun; compare: string }) {
  return (
    <span className="flex flex-wrap gap-x-3">
      <Link
        href={`/runs/${run.runId}`}
        className="text-link [overflow-wrap:anywhere] hover:underline"
      >
        <VisibleText text={run.title} />
      </Link>
      {run.changed !== '' && <span className="text-muted">Changed: {run.changed}</span>}
      <Link href={compare} className="text-link hover:underline">
        Compare<span className="sr-only"> with {run.title}</span>
      </Link>
    </span>
  )
}
