import type { EndedCall } from '@toolgate/server/runs/lists/tool-calls'
import Link from 'next/link'
import { outcomeWords } from '@/components/trace/call-words'
import { shortArguments } from '@/components/trace/short-arguments'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'
import { formatDuration } from '@/lib/words/format'

/** Shows calls of one tool with their arguments and how they ended. */
export function LastCalls({ calls }: { calls: readonly EndedCall[] }) {
  if (calls.length === 0) {
    return <p className="text-muted">No calls yet</p>
  }
  return (
    <ul className="max-w-4xl divide-y rounded-md border bg-surface-1 text-sm">
      {calls.map((call) => (
        <li
          key={`${call.runId} ${call.callId}`}
          className="flex flex-wrap gap-x-3 gap-y-1 px-3 py-2"
        >
          <Link
            href={`/runs/${call.runId}`}
            className="min-w-48 flex-1 font-mono text-link text-mono [overflow-wrap:anywhere] hover:underline"
          >
            <VisibleText text={argumentsOf(call)} />
          </Link>
          {call.isEdited && <span className="text-muted">Edited</span>}
          <Pill outcome={call.outcome} />
          <span className="numeric w-16 text-right text-muted">
            {formatDuration(call.durationMs)}
          </span>
          <span className="w-full text-muted md:w-auto">
            <VisibleText text={call.by} />, <RelativeTime at={call.at} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function argumentsOf({ argumentsText }: EndedCall): string {
  if (argumentsText === null) return 'Arguments no longer kept'
  return shortArguments(argumentsText) || 'No arguments'
}

function Pill({ outcome }: Pick<EndedCall, 'outcome'>) {
  const { pill, word } = outcomeWords(outcome)
  return <StatePill state={pill}>{word}</StatePill>
}
