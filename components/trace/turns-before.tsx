'use client'
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { readJson } from '@/components/shell/queries'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { addCost } from '@/lib/protocol/cost/cost'
import type { TurnBefore } from '@/lib/protocol/run/turn-before'
import { firstWords } from '@/lib/words/clean-text'
import { countOf, formatCostMicroUsd, formatCount } from '@/lib/words/format'
import { Disclosure } from './disclosure'
import { endWords } from './end-words'
import { LongText } from './long-text'
import { Markdown } from './markdown'
import { useTraceFacts } from './trace-context'
import { VisibleText } from './visible-text'

type Answer = { turns: TurnBefore[] }

/** Says whether it is an answer of this server; a check by hand, because the Playground loads this. */
function isAnswer(body: unknown): body is Answer {
  return Array.isArray(Object(body).turns)
}

/** Shows the turns before a run of a conversation, each as one line that opens. */
export function TurnsBefore() {
  const { runId } = useTraceFacts()
  const { data, error, refetch } = useQuery({
    queryKey: ['turns before', runId],
    queryFn: ({ signal }) => readJson(`/api/runs/${runId}/turns`, isAnswer, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (error) {
    return (
      <ErrorNotice
        title="Turns before not shown"
        action={
          <Button size="sm" onClick={() => refetch()}>
            Try again
          </Button>
        }
      >
        The server did not answer.
      </ErrorNotice>
    )
  }
  if (!data) return <p className="min-h-7 text-muted text-sm">Loading the turns before …</p>
  return <Turns turns={data.turns} />
}

function Turns({ turns }: { turns: readonly TurnBefore[] }) {
  return (
    <section aria-label="Turns before" className="flex flex-col gap-1 border-b pb-3">
      <ol className="flex flex-col gap-1">
        {turns.map((turn, index) => (
          <li key={turn.runId}>
            <Disclosure summary={<Summary turn={turn} number={index + 1} />}>
              <Turn turn={turn} />
            </Disclosure>
          </li>
        ))}
      </ol>
      <p className="numeric text-muted text-sm">{totalsOf(turns)}</p>
    </section>
  )
}

function Summary({ turn, number }: { turn: TurnBefore; number: number }) {
  return (
    <>
      Turn {number}: <VisibleText text={firstWords(turn.prompt)} />
      {turn.answer === null && ` (${endWords(turn.reason, false).word})`}
    </>
  )
}

function Turn({ turn }: { turn: TurnBefore }) {
  const { runId, prompt, answer, rounds, calls } = turn
  return (
    <div className="flex flex-col gap-3 border-l-2 pl-3">
      <LongText text={prompt} label="Prompt of the turn" mono={false} />
      {answer === null ? (
        <p className="text-muted">It ended without an answer.</p>
      ) : (
        <Markdown text={answer} />
      )}
      <p className="numeric text-muted">
        {countOf(rounds, 'round')}, {countOf(calls, 'call')}, {usedWords([turn])}{' '}
        <Link href={`/runs/${runId}`} className="text-link underline underline-offset-2">
          Open this turn
        </Link>
      </p>
    </div>
  )
}

function totalsOf(turns: readonly TurnBefore[]): string {
  return `${countOf(turns.length, 'turn')} before: ${usedWords(turns)}`
}

/** Returns "1 200 in (900 cached), 40 out, $0.0012". */
function usedWords(turns: readonly TurnBefore[]): string {
  const sum = (figure: 'inputTokens' | 'outputTokens' | 'cachedInputTokens') =>
    turns.reduce((all, turn) => all + turn[figure], 0)
  const cached = sum('cachedInputTokens')
  const cost = turns.reduce<number | null>((all, turn) => addCost(all, turn.costMicroUsd), 0)
  const input = `${formatCount(sum('inputTokens'))} in${cached > 0 ? ` (${formatCount(cached)} cached)` : ''}`
  return `${input}, ${formatCount(sum('outputTokens'))} out, ${formatCostMicroUsd(cost)}`
}
