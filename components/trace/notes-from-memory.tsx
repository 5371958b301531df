import { RelativeTime } from '@/components/ui/relative-time'
import { gateTitle } from '@/lib/protocol/gate-answers'
import type { PromptMemory } from '@/lib/protocol/memory'
import { memoryWords } from '@/lib/protocol/prompt-memory'
import { Disclosure } from './disclosure'
import { LongText } from './long-text'
import { ResultFlags } from './result-flags'
import { VisibleText } from './visible-text'

/** Shows the notes that stand in the prompt of a run, folded, and what was left out; or which gate refused to read them. */
export function NotesFromMemory({ memory }: { memory: PromptMemory }) {
  if (memory.type === 'denied') {
    return (
      <Disclosure summary={memoryWords(memory)}>
        <p className="text-sm [overflow-wrap:anywhere]">
          Denied (<span className="font-medium text-strong">{gateTitle(memory)}</span>):{' '}
          <VisibleText text={memory.reason} />
        </p>
      </Disclosure>
    )
  }
  const { notes, leftOut, flags } = memory
  if (notes.length + leftOut === 0) {
    return <p className="text-muted text-sm">{memoryWords(memory)}</p>
  }
  return (
    <div className="flex flex-col gap-1">
      <Disclosure summary={memoryWords(memory)}>
        <div className="flex flex-col gap-2">
          <p className="text-muted">
            From earlier runs; sent before the prompt as untrusted text.
            {leftOut > 0 && ' memory_read finds those left out.'}
          </p>
          <ol aria-label="Notes from memory" className="flex flex-col gap-2">
            {notes.map(({ id, text, date }) => (
              <li key={id} className="border-l-2 pl-2">
                <RelativeTime at={date} className="text-muted" />
                <LongText text={text} label="Whole note" mono={false} />
              </li>
            ))}
          </ol>
        </div>
      </Disclosure>
      <ResultFlags flags={flags} />
    </div>
  )
}
