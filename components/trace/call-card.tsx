'use client'

import { ChevronDown, Wrench } from 'lucide-react'
import { memo, useId, useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { cn } from '@/components/ui/cn'
import { StatePill } from '@/components/ui/state-pill'
import type { AskedInText } from '@/lib/protocol/model/message'
import type { ImageTaker } from '@/lib/protocol/model/result-images'
import type { CallView } from '@/lib/protocol/run/round-view'
import { editedWords, isUndecided } from '@/lib/protocol/run/round-view'
import { visibleText } from '@/lib/words/clean-text'
import { formatDuration } from '@/lib/words/format'
import { CallBody, finalArguments } from './call-body'
import { callAnchor, useTarget } from './call-target'
import { callRemark, callWords } from './call-words'
import { Elapsed } from './elapsed'
import { useWatchedView } from './in-view'
import { shortArguments } from './short-arguments'
import { type TraceFacts, useTraceFacts } from './trace-context'
import { VisibleText } from './visible-text'

/**
 * `note`: what Toolgate added for the model after this call's result; mostly empty. `inText`: how a model without tool
 * calling requested it in text; null = it has tool calling. `reader`: the model that gets the result; null = not known.
 */
type CallProps = {
  call: CallView
  inText: AskedInText | null
  note: string
  reader: ImageTaker | null
}

/** Shows one tool call as a button with a one-line summary, which opens the details. The address may name it. */
export const CallCard = memo(function CallCard({ call, inText, note, reader }: CallProps) {
  const { ended, fork } = useTraceFacts()
  const { state, childRunId } = call
  const writes = state.type === 'running' && (state.output !== undefined || Boolean(childRunId))
  const [open, setOpen] = useOpen((isUndecided(call) || writes) && !ended)
  const anchor = callAnchor(call.callId)
  const { box, part: button } = useTarget<HTMLButtonElement>(anchor, () => setOpen(true))
  useWatchedView(anchor, box)
  const bodyId = useId()
  const { pill, word } = callWords(call, ended)
  const remark = callRemark(call, inText)
  return (
    <article
      ref={box}
      id={anchor}
      className="scroll-mt-20 rounded-md border bg-surface-1"
      data-call={call.callId}
    >
      <h4 className="font-normal">
        <button
          ref={button}
          type="button"
          aria-expanded={open}
          aria-controls={bodyId}
          onClick={() => setOpen(!open)}
          className="flex min-h-9 w-full flex-wrap items-center gap-x-2 gap-y-1 rounded-md px-3 py-1.5 text-left transition-colors hover:bg-surface-2"
        >
          <Wrench className="size-4 shrink-0 text-muted" aria-hidden />
          <span className="font-medium font-mono text-mono text-strong [overflow-wrap:anywhere]">
            <VisibleText text={call.name} />
          </span>
          {inText && <Badge>Asked in text</Badge>}
          <OriginBadge call={call} fork={fork} />
          <span className="order-last min-w-0 basis-full truncate font-mono text-mono text-muted sm:order-none sm:basis-0 sm:grow">
            <VisibleText text={shortArguments(finalArguments(call))} />
          </span>
          <span className="ml-auto flex shrink-0 items-center gap-2 sm:ml-0">
            <StatePill state={pill}>{word}</StatePill>
            <span className="numeric text-right text-muted text-sm sm:min-w-14">
              <CallTime call={call} ended={ended} />
            </span>
            <ChevronDown
              className={cn(
                'size-4 shrink-0 text-muted transition-transform',
                open && 'rotate-180',
              )}
              aria-hidden
            />
          </span>
        </button>
      </h4>
      {remark && (
        <p className={cn('px-3 pb-2 text-sm', pill === 'off' ? 'text-muted' : 'text-normal')}>
          <VisibleText text={remark} />
        </p>
      )}
      <div id={bodyId} hidden={!open}>
        {open && (
          <CallBody
            call={call}
            inText={inText}
            note={note}
            reader={reader}
            onDecided={() => button.current?.focus()}
          />
        )}
      </div>
    </article>
  )
})

const sourceWords = { fixed: 'Fixed text', refused: 'Not called' } as const

/** Says that a call did not reach its tool, or that somebody edited it: the run goes on from another one. */
function OriginBadge({ call, fork }: { call: CallView; fork: TraceFacts['fork'] }) {
  const edited = editedWords(call.edits)
  if (edited !== '') return <Badge>{visibleText(edited)}</Badge>
  if (!fork || call.round <= fork.copiedThrough) return null
  const source = fork.sources[call.name]
  if (source?.type === 'live') return null
  return <Badge>{source ? sourceWords[source.type] : 'Recorded'}</Badge>
}

/** Holds whether a card is open. It opens when its call waits for approval or writes something, and stays open afterwards. */
function useOpen(hasNews: boolean) {
  const [open, setOpen] = useState(hasNews)
  const [hadNews, setHadNews] = useState(hasNews)
  if (hasNews && !hadNews) {
    setHadNews(true)
    setOpen(true)
  }
  return [open, setOpen] as const
}

function CallTime({ call, ended }: { call: CallView; ended: boolean }) {
  const { state } = call
  if (state.type === 'ended')
    return state.outcome.type === 'denied' ? null : formatDuration(state.durationMs)
  if (state.type === 'running' && !ended) return <Elapsed since={state.startedAt} />
  return null
}
