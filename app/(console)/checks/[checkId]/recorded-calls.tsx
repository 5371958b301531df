import type { CheckDetail } from '@toolgate/server/domains/checks/schemas'
import { Disclosure } from '@/components/trace/disclosure'
import { LongText } from '@/components/trace/long-text'
import { VisibleText } from '@/components/trace/visible-text'
import { callEndWords } from '@/lib/protocol/check/check-words'
import { countOf } from '@/lib/words/format'

type Recordings = CheckDetail['recordings']

/** Shows the calls whose results a check keeps, by their arguments. */
export function RecordedCalls({ recordings }: { recordings: Recordings }) {
  if (recordings.length === 0)
    return <p className="text-muted">None: the run called no tool that gave a result.</p>
  return (
    <Disclosure summary={countOf(recordings.length, 'call')}>
      <ol aria-label="Recorded calls" className="divide-y rounded-md border bg-surface-1">
        {recordings.map((call, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: recorded calls do not change
          <li key={place} className="flex flex-col gap-1 px-3 py-2">
            <p className="flex flex-wrap items-baseline gap-x-3 [overflow-wrap:anywhere]">
              <code className="font-mono text-mono text-strong">
                <VisibleText text={call.tool} />
              </code>
              <span className="numeric text-muted">{resultWords(call)}</span>
            </p>
            <LongText text={call.argumentsText} label={`Arguments of call ${place + 1}`} />
          </li>
        ))}
      </ol>
    </Disclosure>
  )
}

function resultWords({ outcome, characters }: Recordings[number]): string {
  return characters === null ? callEndWords[outcome] : countOf(characters, 'character')
}
