import type { Denial, RefusingGate } from '@toolgate/server/runs/lists/denials'
import Link from 'next/link'
import { CallLink } from '@/components/trace/call-link'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { denialWords, gateTitle } from '@/lib/protocol/gate-answers'
import { countOf } from '@/lib/words/format'
import { Tile } from './tile'

/** Shows how many calls each gate refused in the last 7 days; each line leads to the runs of these calls. */
export function RefusedByGate({ gates }: { gates: readonly RefusingGate[] }) {
  return (
    <Tile title="Refused by gate, 7 days" href="/runs?period=7d&outcome=denied">
      {gates.length === 0 && <p className="text-muted">None.</p>}
      {gates.length > 0 && (
        <ul aria-label="Calls refused by gate" className="-mx-3 -mb-3 divide-y border-t text-sm">
          {gates.map(({ gate, calls, runs }) => (
            <li key={gate}>
              <Link
                href={`/runs?period=7d&gate=${gate}`}
                className="flex min-h-10 flex-wrap items-center justify-between gap-x-3 px-3 py-1.5 transition-colors hover:bg-surface-2"
              >
                <span className="text-strong first-letter:uppercase">{gateTitle({ gate })}</span>{' '}
                <span className="numeric text-muted">
                  {countOf(calls, 'call')} in {countOf(runs, 'run')}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Tile>
  )
}

/** Shows the calls that were refused last, each with its sentence, as a link to the call. */
export function NewestDenials({ denials }: { denials: readonly Denial[] }) {
  return (
    <Tile title="Newest refused calls" href="/runs?outcome=denied">
      {denials.length === 0 && <p className="text-muted">None.</p>}
      {denials.length > 0 && (
        <ul aria-label="Newest refused calls" className="-mx-3 -mb-3 divide-y border-t text-sm">
          {denials.map((denial) => (
            <li
              key={`${denial.runId} ${denial.callId}`}
              className="flex flex-col gap-0.5 px-3 py-1.5"
            >
              <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                <CallLink runId={denial.runId} call={denial} />
                <span className="text-muted">
                  <VisibleText text={denial.userEmail} />, <RelativeTime at={denial.at} />
                </span>
              </span>
              <span className="line-clamp-2 [overflow-wrap:anywhere]">
                <VisibleText text={sentenceOf(denial)} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Tile>
  )
}

function sentenceOf({ reason, gate }: Denial): string {
  return reason ?? `Denied: ${gate ? denialWords({ gate }) : 'reason no longer kept'}.`
}
