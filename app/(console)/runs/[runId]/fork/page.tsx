import { listConfigurations } from '@toolgate/server/domains/configurations/usable'
import { forkObstacle } from '@toolgate/server/runs/fork/fork-run'
import { readRun } from '@toolgate/server/runs/read-run'
import { GitBranch } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { PageHead } from '@/components/shell/page-head'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { requireUser } from '@/lib/next/require-user'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import { hasResult } from '@/lib/protocol/run/recordings'
import type { CallView } from '@/lib/protocol/run/round-view'
import { firstWords } from '@/lib/words/clean-text'
import { pageTitle } from '@/lib/words/page-title'
import { findRun } from '../find-run'
import { type ForkFacts, ForkForm } from './fork-form'

type Props = {
  params: Promise<{ runId: string }>
  searchParams: Promise<{ round?: string | string[] }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { prompt } = await findRun((await params).runId)
  return pageTitle(`Go on from ${firstWords(prompt)}`, 'Runs')
}

/** Starts a run that goes on from a round of this one, with at most one change. */
export default async function ForkPage({ params, searchParams }: Props) {
  const ctx = await requireUser()
  const { runId } = await params
  const { prompt } = await findRun(runId)
  const { events, ...record } = await readRun(ctx, runId)
  const state = foldRun(events)
  const obstacle = forkObstacle(ctx, { ...record, start: state.start })
  const number = Number((await searchParams).round ?? 1)
  const facts = obstacle === null ? factsOf(state, number) : null
  const configurations = await listConfigurations(ctx)
  return (
    <PageFrame kind="form">
      <PageHead
        title={<VisibleText text={`Go on from ${firstWords(prompt)}`} />}
        action={
          <Button asChild>
            <Link href={`/runs/${runId}`}>Open run</Link>
          </Button>
        }
      >
        {facts !== null &&
          `The new run starts with a copy of ${number === 1 ? 'round 1' : `rounds 1 to ${number}`}. The copy calls no model and no tool. The next request sends it as input and costs as usual.`}
      </PageHead>
      {facts === null ? (
        <EmptyState icon={GitBranch} title="Nothing follows this round">
          {obstacle ?? 'Pick a round that calls tools.'}
        </EmptyState>
      ) : (
        <ForkForm
          runId={runId}
          facts={facts}
          configurations={configurations.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
    </PageFrame>
  )
}

/** Returns what can be changed in a round; null = nothing follows it. */
function factsOf({ start, rounds }: RunState, number: number): ForkFacts | null {
  const round = rounds.find((each) => each.round === number)
  const isOpen = round?.calls.some(({ state }) => state.type !== 'ended')
  if (!start || !round?.response || round.calls.length === 0 || isOpen) return null
  const later = rounds.filter((each) => each.round >= number).flatMap(({ calls }) => calls)
  const called = new Set(later.map(({ name }) => name))
  const offered = start.accepted.map(({ name, effect }) => ({ name, writes: effect === 'write' }))
  return {
    round: number,
    prompt: start.prompt,
    answer: round.text,
    calls: round.calls.map((call) => ({
      callId: call.callId,
      name: call.name,
      argumentsText: call.argumentsText,
      result: hasResult(call) ? resultOf(call) : null,
    })),
    called: offered.filter(({ name }) => called.has(name)),
    others: offered.filter(({ name }) => !called.has(name)),
  }
}

/** Returns what a call returned as text; "" = it failed without a text. */
function resultOf({ state }: CallView): string {
  if (state.type !== 'ended') return ''
  const { outcome } = state
  if (outcome.type === 'ok') return outcome.content
  return outcome.type === 'failed' ? outcome.message : ''
}
