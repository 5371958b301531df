'use client'
import type { PanelChoice } from '@toolgate/server/runs/panels/panel-schemas'
import Link from 'next/link'
import { memo, useId } from 'react'
import { CallLink } from '@/components/trace/call-link'
import { callWords } from '@/components/trace/call-words'
import { CodeText } from '@/components/trace/code-text'
import { Disclosure } from '@/components/trace/disclosure'
import { endWords } from '@/components/trace/end-words'
import { LongText } from '@/components/trace/long-text'
import { Markdown } from '@/components/trace/markdown'
import { WorkTime } from '@/components/trace/run-strip'
import { VisibleText } from '@/components/trace/visible-text'
import { Cost } from '@/components/ui/cost'
import { StatePill } from '@/components/ui/state-pill'
import { runCostBound } from '@/lib/protocol/cost/cost'
import { gateTitle } from '@/lib/protocol/gate-answers'
import { envelopeProse } from '@/lib/protocol/panel/coordination'
import { ownCapView } from '@/lib/protocol/panel/panel'
import type { PanelRole } from '@/lib/protocol/panel/panel-role'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { RoundView } from '@/lib/protocol/run/round-view'
import { modelOf } from '@/lib/protocol/run/run-answer'
import { visibleText } from '@/lib/words/clean-text'
import { countOf, formatCount, formatDuration } from '@/lib/words/format'
import { ChooseAnswer } from './choose-answer'
import { MemberCap } from './member-cap'
import { isMarked, MemberPill } from './member-pill'
import { CapWords } from './panel-facts'

type Props = {
  place: number
  panelId: string
  runId: string
  /** Title of the role in a coordination. */
  title: string | null
  name: string
  role: PanelRole | undefined
  state: RunState
  /** The panel asked for tools. */
  hasTools: boolean
  choice: PanelChoice | null
}

/** Returns the id of the column of a member, to which its lane leads. */
export function memberAnchor(place: number): string {
  return `member-${place + 1}`
}

const column =
  'scroll-mt-20 flex min-w-0 snap-start flex-col gap-3 rounded-md border bg-surface-1 p-3'

/**
 * Shows one member: its figures in rows of fixed height, then what it said and called, in the order in which that happened, so that
 * nothing moves while it grows. Renders again only with news of its own run.
 */
export const MemberColumn = memo(function MemberColumn(props: Props) {
  const { place, panelId, runId, title, name, role, state, hasTools, choice } = props
  const headingId = useId()
  const isChosen = choice?.runId === runId
  return (
    <article
      id={memberAnchor(place)}
      tabIndex={-1}
      aria-labelledby={headingId}
      className={column}
      data-run={runId}
    >
      <Head headingId={headingId} title={title} name={name} model={modelOf(state)}>
        <MemberPill member={{ refusal: null }} state={state} />
        <Link href={`/runs/${runId}`} className="shrink-0 text-link text-sm hover:underline">
          Open run<span className="sr-only"> of {visibleText(name)}</span>
        </Link>
      </Head>
      <Figures state={state} />
      <MemberCap runId={runId} name={name} state={state} />
      {hasTools && <Refused state={state} />}
      {!role && (
        <div className="flex min-h-8 flex-wrap items-center gap-2">
          <ChooseAnswer
            panelId={panelId}
            runId={runId}
            name={name}
            choice={choice}
            isChosen={isChosen}
          />
        </div>
      )}
      <div className="flex min-w-0 flex-col gap-3 border-t pt-3">
        {state.rounds.map((round) => (
          <Said key={round.round} runId={runId} round={round} state={state} />
        ))}
        <End state={state} />
      </div>
    </article>
  )
})

/** Shows a member without a run: it was refused, or waits for its turn. */
export function IdleColumn({
  place,
  title,
  name,
  refusal,
}: {
  place: number
  title: string | null
  name: string
  refusal: string | null
}) {
  const headingId = useId()
  return (
    <article id={memberAnchor(place)} tabIndex={-1} aria-labelledby={headingId} className={column}>
      <Head headingId={headingId} title={title} name={name} model={null}>
        <MemberPill member={{ refusal }} state={undefined} />
      </Head>
      {refusal !== null && (
        <p className="[overflow-wrap:anywhere]">
          <VisibleText text={refusal} />
        </p>
      )}
    </article>
  )
}

function Head(props: {
  headingId: string
  title: string | null
  name: string
  model: string | null
  children: React.ReactNode
}) {
  const { headingId, title, name, model, children } = props
  return (
    <div className="flex min-w-0 flex-col items-start gap-1">
      <h2 id={headingId} className="w-full truncate text-base" title={name}>
        {title && `${title}: `}
        <VisibleText text={name} />
      </h2>
      <p className="min-h-5 w-full truncate text-muted text-sm" title={model ?? undefined}>
        {model !== null && <VisibleText text={model} />}
      </p>
      <div className="flex w-full min-w-0 items-center justify-between gap-2">{children}</div>
    </div>
  )
}

function Figures({ state }: Pick<Props, 'state'>) {
  const { usage, rounds, costMicroUsd } = state
  const calls = rounds.reduce((sum, round) => sum + round.calls.length, 0)
  const first = rounds.find(({ response }) => response)?.response?.firstTokenMs ?? null
  const cap = ownCapView(state)
  return (
    <dl className="numeric grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-sm [&>dd]:truncate [&>dd]:text-right [&>dt]:text-muted">
      <dt>Cost</dt>
      <dd>
        <Cost microUsd={costMicroUsd} bound={runCostBound(state)} />
      </dd>
      {cap && (
        <>
          <dt>{cap.blocked ? 'Stopped by cap' : cap.exceeded ? 'Cap reached' : 'Cost cap'}</dt>
          <dd>
            <CapWords cap={cap} />
          </dd>
        </>
      )}
      <dt>Time</dt>
      <dd>
        <WorkTime state={state} />
      </dd>
      <dt>First token</dt>
      <dd>{first === null ? '-' : formatDuration(first)}</dd>
      <dt>Tokens in, out</dt>
      <dd>
        {formatCount(usage.inputTokens)}, {formatCount(usage.outputTokens)}
      </dd>
      <dt>Calls</dt>
      <dd>{formatCount(calls)}</dd>
    </dl>
  )
}

/** Shows which of the tools asked for this member has not, each with the gate that refused it. */
function Refused({ state }: Pick<Props, 'state'>) {
  const { accepted = [], rejected = [] } = state.start ?? {}
  const all = accepted.length + rejected.length
  if (rejected.length === 0) {
    return <p className="flex min-h-7 items-center text-muted text-sm">{countOf(all, 'tool')}</p>
  }
  return (
    <Disclosure summary={`${rejected.length} of ${countOf(all, 'tool')} refused`}>
      <ul className="flex flex-col gap-1">
        {rejected.map((tool) => (
          <li key={tool.name} className="[overflow-wrap:anywhere]">
            <CodeText text={tool.name} />{' '}
            <span className="text-muted">
              {gateTitle(tool)}: <VisibleText text={tool.reason} />
            </span>
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}

/** Shows what a round said, then its calls in a line each, which lead to the run. */
function Said({ runId, round, state }: { runId: string; round: RoundView; state: RunState }) {
  const { text, calls } = round
  const ended = state.end !== null
  const isLast = round === state.rounds.at(-1)
  const value = isLast ? state.end?.structured : undefined
  return (
    <>
      {value !== undefined && <Value value={value} state={state} />}
      {text !== '' && value === undefined && <Markdown text={text} />}
      {calls.length > 0 && (
        <ul aria-label={`Calls of round ${round.round}`} className="flex flex-col gap-1">
          {calls.map((call) => {
            const { pill, word } = callWords(call, ended)
            const { callId, name: toolName } = call
            return (
              <li key={callId} className="flex min-w-0 items-center justify-between gap-2">
                <span className="min-w-0 truncate">
                  <CallLink runId={runId} call={{ callId, toolName }} />
                </span>
                <StatePill state={pill}>{word}</StatePill>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}

/** Shows the structured output of a run; the envelope of a role as prose. */
function Value({ value, state }: { value: unknown; state: RunState }) {
  const role = state.start?.panelRole
  const prose = role ? envelopeProse(role, value) : null
  if (!prose) return <LongText text={JSON.stringify(value, null, 2)} label="Structured output" />
  return (
    <dl className="flex flex-col gap-2">
      {prose.map(({ heading, lines }) => (
        <div key={heading}>
          <dt className="font-medium text-sm text-strong">{heading}</dt>
          {lines.map((line) => (
            <dd key={line} className="[overflow-wrap:anywhere]">
              <Markdown text={line} />
            </dd>
          ))}
        </div>
      ))}
    </dl>
  )
}

/** Says why a member ended otherwise than with an answer. It stands last, so that nothing moves. */
function End({ state }: Pick<Props, 'state'>) {
  const { end } = state
  if (!end || end.reason === 'completed') return null
  const { sentence } = endWords(end.reason, end.notStarted)
  return (
    <p className="text-sm text-warning [overflow-wrap:anywhere]">
      <VisibleText text={end.message || sentence} />
      {isMarked(state) && ' Later roles get it as text.'}
    </p>
  )
}
