import { TriangleAlert } from 'lucide-react'
import { Elapsed } from '@/components/trace/elapsed'
import { Cost } from '@/components/ui/cost'
import { Fact } from '@/components/ui/fact'
import { StatePill } from '@/components/ui/state-pill'
import type { CostCapChoice } from '@/lib/protocol/cost/money'
import type { PanelView } from '@/lib/protocol/panel/panel'
import type { PanelStart } from '@/lib/protocol/panel/panel-start'
import { visibleText } from '@/lib/words/clean-text'
import { countOf, formatCostMicroUsd, formatCount, formatDuration } from '@/lib/words/format'

/** Shows how the whole panel stands. Its rows are as high while members go on as at the end. */
export function PanelFacts({
  start: { tools, hops, members, memberCostCap },
  view,
  since,
}: {
  start: PanelStart
  view: PanelView
  /** When it began, ms since 1970. */
  since: number
}) {
  const { endedAt, usage, costMicroUsd, cap } = view
  return (
    <section aria-label="About this panel" className="rounded-md border bg-surface-1 p-3">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 text-sm sm:grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))]">
        <Fact label="State">
          <PanelState members={members.length} view={view} />
        </Fact>
        <Fact label="Cost">
          <Cost microUsd={costMicroUsd} bound={usage.estimated ? 'about' : 'exact'} />
        </Fact>
        <Fact label="Time">
          {endedAt === null ? (
            <Elapsed since={since} />
          ) : (
            formatDuration(Math.max(0, endedAt - since))
          )}
        </Fact>
        <Fact label="Tokens in, out">
          <span className="numeric">
            {formatCount(usage.inputTokens)}, {formatCount(usage.outputTokens)}
          </span>
        </Fact>
        {cap && (
          <Fact label={`Cost cap (${capState(cap)})`}>
            <CapWords cap={cap} />
          </Fact>
        )}
        {memberCostCap && (
          <Fact label={`Cap of each (${modeWords[memberCostCap.mode]})`}>
            {formatCostMicroUsd(memberCostCap.limitMicroUsd)}
          </Fact>
        )}
        <Fact label="Tools asked for">
          {tools.length === 0 ? 'None' : tools.map(visibleText).join(', ')}
        </Fact>
        {tools.length > 0 && <Fact label="Hop budget">{countOf(hops, 'request')} for tools</Fact>}
      </dl>
    </section>
  )
}

function PanelState({ members, view }: { members: number; view: PanelView }) {
  if (view.open === 0 && view.endedAt === null)
    return <StatePill state="running">The next roles begin</StatePill>
  if (view.open > 0) {
    const waits = view.members.filter(({ isWaiting }) => isWaiting).length
    if (waits === view.open) return <StatePill state="waiting">Waiting for approval</StatePill>
    return <StatePill state="running">{countOf(view.open, 'member')} running</StatePill>
  }
  const completed = view.members.filter(({ state }) => state.end?.reason === 'completed').length
  if (completed === members) return <StatePill state="ok">Completed</StatePill>
  if (view.members.some(({ state }) => state.end?.reason === 'cancelled'))
    return (
      <StatePill state="warning">
        Stopped, {completed} of {members} completed
      </StatePill>
    )
  return (
    <StatePill state={completed === 0 ? 'error' : 'warning'}>
      {completed} of {members} completed
    </StatePill>
  )
}

type Cap = NonNullable<PanelView['cap']>

const modeWords: Record<CostCapChoice, string> = {
  warn: 'warn only',
  enforce: 'enforced',
  ignore: 'ignored',
}

/** Returns how a cap stands, in words that are about as long before it is reached as after. */
function capState({ mode, decision, exceeded, blocked }: Cap): string {
  if (blocked) return 'stopped members'
  return exceeded ? 'reached' : modeWords[decision?.choice ?? mode]
}

/** Shows what a cap saw in one line: "$0.02 of $0.05". */
export function CapWords({ cap }: { cap: Cap }) {
  const { observedMicroUsd, limitMicroUsd, exceeded } = cap
  return (
    <span className={exceeded ? 'text-warning' : undefined}>
      {exceeded && <TriangleAlert className="mr-1 inline size-4 align-text-bottom" aria-hidden />}
      <span className="numeric">
        {formatCostMicroUsd(observedMicroUsd)} of {formatCostMicroUsd(limitMicroUsd)}
      </span>
    </span>
  )
}
