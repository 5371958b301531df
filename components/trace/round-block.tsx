import { LoaderCircle, Wrench } from 'lucide-react'
import Link from 'next/link'
import { memo, type RefObject } from 'react'
import { cn } from '@/components/ui/cn'
import { StatePill } from '@/components/ui/state-pill'
import {
  boundedCost,
  cacheSavedMicroUsd,
  cacheWords,
  costBound,
  isCostAtMost,
} from '@/lib/protocol/cost/cost'
import type { Prices } from '@/lib/protocol/cost/money'
import type { FinishReason } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { roundNote } from '@/lib/protocol/model/model-text'
import type { DraftCall, RoundNote, RoundResponse, RoundView } from '@/lib/protocol/run/round-view'
import { visibleText } from '@/lib/words/clean-text'
import { countOf, formatCount, formatDuration, reportedCostText } from '@/lib/words/format'
import { CallCard } from './call-card'
import { roundAnchor, useTarget } from './call-target'
import { Disclosure } from './disclosure'
import { useWatchedView } from './in-view'
import { LongText } from './long-text'
import { Markdown } from './markdown'
import { NoteLine, targetName } from './note-line'
import { laidOutWhenNear } from './scroll-region'
import { SentRequestView } from './sent-request-view'
import { useTraceFacts } from './trace-context'
import { VisibleText } from './visible-text'

type Props = {
  round: RoundView
  /** The index of the model that gets the results of this round. */
  nextTarget: number
  targets: readonly ModelTarget[]
  ended: boolean
  /** The advice of the failure that ended the run, which is shown there. */
  shownAtEnd: string | null
  /** True = the text is a JSON value, which is shown below as a tree. */
  isValue: boolean
  /** The run is so long that the browser lays out only what is near the screen. */
  isOneOfMany: boolean
}

/**
 * Shows one model response and its calls. Only the round that grows renders again, because the fold shares what did not
 * change.
 */
export const RoundBlock = memo(function RoundBlock(props: Props) {
  const { round, nextTarget, targets, ended, shownAtEnd, isValue, isOneOfMany } = props
  const before = round.notes.filter(isBeforeAnswer)
  const after = round.notes.filter((note) => !isBeforeAnswer(note))
  const anchor = roundAnchor(round.round)
  const { box, part: heading } = useTarget<HTMLHeadingElement>(anchor, nothing)
  useWatchedView(anchor, box)
  const { runId, mayFork } = useTraceFacts()
  const silent = round.text === '' && round.reasoningText === '' && round.drafts.length === 0
  return (
    <section
      ref={box}
      id={anchor}
      aria-label={`Round ${round.round}`}
      className={cn('flex scroll-mt-24 flex-col gap-3', isOneOfMany && laidOutWhenNear)}
    >
      <RoundSeparator
        round={round}
        heading={heading}
        modelName={targetName(targets, round.target)}
        prices={targets[round.target]?.prices ?? null}
      />
      {round.copiedFrom === undefined && (
        <Disclosure summary="What the model saw">
          <SentRequestView round={round.round} />
        </Disclosure>
      )}
      <Notes notes={before} targets={targets} shownAtEnd={shownAtEnd} />
      <Reasoning round={round} />
      {silent && round.response === null && !ended && <WaitingForModel />}
      {round.text !== '' && <Answer text={round.text} isValue={isValue} />}
      {(round.calls.length > 0 || round.drafts.length > 0) && (
        <div className="flex flex-col gap-2 border-l-2 pl-3">
          {round.calls.map((call, index) => (
            <CallCard
              key={call.callId}
              call={call}
              inText={round.inText}
              note={index === round.calls.length - 1 ? roundNote(round) : ''}
              reader={targets[nextTarget] ?? null}
            />
          ))}
          {round.drafts.map((draft) => (
            <DraftRow key={draft.index} draft={draft} />
          ))}
        </div>
      )}
      <Notes notes={after} targets={targets} shownAtEnd={shownAtEnd} />
      {mayFork && round.response && round.calls.length > 0 && (
        <Link
          href={`/runs/${runId}/fork?round=${round.round}`}
          className="self-start text-link text-sm hover:underline"
        >
          Go on from here with a change
          <span className="sr-only"> after round {round.round}</span>
        </Link>
      )}
    </section>
  )
})

/** A round has nothing to open. */
const nothing = () => {}

function Answer({ text, isValue }: { text: string; isValue: boolean }) {
  if (!isValue) return <Markdown text={text} />
  return (
    <Disclosure summary={`Answer as text (${countOf(text.length, 'character')})`}>
      <LongText text={text} label="Answer as text" />
    </Disclosure>
  )
}

type NotesProps = Pick<Props, 'targets' | 'shownAtEnd'> & { notes: RoundNote[] }

/** Shows what happened in a round, or before the first one. */
export function Notes({ notes, ...facts }: NotesProps) {
  return notes.map((note, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: notes are only ever added at the end
    <NoteLine key={index} note={note} before={notes[index - 1]} {...facts} />
  ))
}

function WaitingForModel() {
  return (
    <p className="flex items-center gap-1.5 text-muted text-sm">
      <LoaderCircle className="size-4 animate-spin" aria-hidden /> Waiting for the model
    </p>
  )
}

const beforeAnswer = new Set<string>([
  'context-pruned',
  'tools-unconfirmed',
  'offer-unavailable',
  'parameter-changed',
])

/** Returns whether a note is shown above the model's answer: it is about the request. The others are shown below. */
function isBeforeAnswer(note: RoundNote): boolean {
  if (note.type !== 'warning') return true
  return beforeAnswer.has(note.data.code)
}

const tailCharacters = 120

/** Shows a call whose arguments are still arriving. It is as high as the card that replaces it. */
function DraftRow({ draft }: { draft: DraftCall }) {
  const tail = draft.argumentsText.slice(-tailCharacters)
  return (
    <div className="flex min-h-9.5 flex-wrap items-center gap-x-2 gap-y-1 rounded-md border border-dashed bg-surface-1 px-3 py-1.5">
      <Wrench className="size-4 shrink-0 text-muted" aria-hidden />
      <span className="font-medium font-mono text-mono text-strong [overflow-wrap:anywhere]">
        <VisibleText text={draft.name === '' ? 'Request in text' : draft.name} />
      </span>
      <span className="order-last min-w-0 basis-full truncate font-mono text-mono text-muted sm:order-none sm:basis-0 sm:grow">
        <VisibleText text={tail.length < draft.argumentsText.length ? `…${tail}` : tail} />
      </span>
      <StatePill state="running" className="ml-auto sm:ml-0">
        Arguments…
      </StatePill>
    </div>
  )
}

/** Shows the reasoning of the model, folded. Blocks that the provider hides are only counted. */
function Reasoning({ round }: { round: RoundView }) {
  const hidden = round.reasoning.filter((block) => block.redacted).length
  if (round.reasoningText.trim() === '' && hidden === 0) return null
  const thinking = round.response === null && round.text === ''
  const size = `${formatCount(round.reasoningText.length)} characters`
  const secret = hidden > 0 ? `, ${formatCount(hidden)} kept by the provider` : ''
  return (
    <Disclosure summary={`${thinking ? 'Thinking…' : 'Reasoning'} (${size}${secret})`}>
      <p className="max-w-[80ch] whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">
        <VisibleText text={round.reasoningText} />
      </p>
    </Disclosure>
  )
}

const finishWords: Record<FinishReason, string> = {
  stop: 'finished',
  'tool-calls': 'called tools',
  length: 'max output tokens reached',
  'content-filter': 'content filter',
  cut: 'stream cut off',
}

type RoundSeparatorProps = {
  round: RoundView
  /** Takes the focus when a link leads to the round. */
  heading: RefObject<HTMLHeadingElement | null>
  modelName: string
  /** The prices of the model that answered; null = not known. */
  prices: Prices | null
}

/**
 * Shows the line between rounds: what the round cost in tokens, money and time. Its height is the same while it waits.
 */
function RoundSeparator({ round, heading, modelName, prices }: RoundSeparatorProps) {
  const facts = round.copiedFrom
    ? []
    : round.response
      ? responseFacts(round.response, prices)
      : [`about ${formatCount(round.contextTokens)} tokens of context`]
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-t pt-2">
      <h3 ref={heading} tabIndex={-1} className="rounded-sm text-sm">
        {round.closing ? `Final answer (round ${round.round})` : `Round ${round.round}`}
      </h3>
      <ul className="numeric flex flex-wrap gap-x-3 text-muted text-sm">
        {round.copiedFrom !== undefined && (
          <li>
            Copied from{' '}
            <Link href={`/runs/${round.copiedFrom}`} className="text-link hover:underline">
              another run
            </Link>
          </li>
        )}
        {round.editedBy !== undefined && (
          <li className="text-warning">
            Answer edited by {visibleText(round.editedBy.join(', '))}
          </li>
        )}
        {round.copiedFrom === undefined && <li>{visibleText(modelName)}</li>}
        {facts.map((fact) => (
          <li key={fact} className={cn(/limit|filter|cut/.test(fact) && 'text-warning')}>
            {fact}
          </li>
        ))}
      </ul>
    </div>
  )
}

function costFact({ usage, costMicroUsd }: RoundResponse, prices: Prices | null): string {
  const atMost = prices !== null && isCostAtMost(usage, prices)
  return boundedCost(costMicroUsd, costBound({ estimated: usage.estimated, atMost }))
}

function responseFacts(response: RoundResponse, prices: Prices | null): string[] {
  const { usage } = response
  const about = usage.estimated ? 'about ' : ''
  const reported = reportedCostText(usage, response.costMicroUsd)
  const cache = cacheWords(usage, prices && cacheSavedMicroUsd(usage, prices))
  return [
    `${about}${formatCount(usage.inputTokens)} in`,
    ...(cache === '' ? [] : [cache]),
    `${formatCount(usage.outputTokens)} out`,
    costFact(response, prices),
    ...(reported === '' ? [] : [reported]),
    formatDuration(response.latencyMs),
    ...(response.firstTokenMs === null
      ? []
      : [`first token ${formatDuration(response.firstTokenMs)}`]),
    finishWords[response.finishReason],
  ]
}
