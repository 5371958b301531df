import type { Simulation } from '@toolgate/server/runs/approvals/simulate-approval-rule'
import Link from 'next/link'
import { shortArguments } from '@/components/trace/short-arguments'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { formatCount } from '@/lib/words/format'

/** Shows the newest calls that the rule would have matched, with links to their runs. */
export function PastCalls({ simulation }: { simulation: Simulation }) {
  const { calls, stopped } = simulation
  return (
    <div className="flex flex-col gap-1">
      <ul
        aria-label="Calls it would have matched"
        className="divide-y rounded-md border bg-surface-1 text-sm"
      >
        {calls.map((call) => (
          <li key={`${call.runId} ${call.callId}`} className="flex items-baseline gap-3 px-3 py-2">
            <span className="min-w-0 flex-1 font-mono text-mono [overflow-wrap:anywhere]">
              <Link
                href={`/runs/${call.runId}`}
                target="_blank"
                className="text-link underline-offset-2 hover:underline"
              >
                <VisibleText text={call.toolName} />
              </Link>{' '}
              <span className="text-muted">
                <VisibleText text={shortArguments(call.argumentsText)} />
              </span>
            </span>
            <RelativeTime at={call.at} className="shrink-0 text-muted" />
          </li>
        ))}
      </ul>
      {stopped > calls.length && (
        <p className="numeric text-muted text-sm">
          The newest {formatCount(calls.length)} are shown.
        </p>
      )}
    </div>
  )
}
