import { cn } from '@/components/ui/cn'
import { visibleText } from '@/lib/protocol/clean-text'
import { isCostAtMost, type Prices } from '@/lib/protocol/cost'
import { formatCount, formatDuration, reportedCostText } from '@/lib/protocol/format'
import type { FinishReason } from '@/lib/protocol/message'
import type { RoundResponse, RoundView } from '@/lib/protocol/round-view'
import { boundedCost, cacheSavedMicroUsd, cacheWords, costBound } from '@/lib/protocol/run-cost'

const finishWords: Record<FinishReason, string> = {
  stop: 'finished',
  'tool-calls': 'called tools',
  length: 'max output tokens reached',
  'content-filter': 'content filter',
  cut: 'stream cut off',
}

type Props = {
  round: RoundView
  modelName: string
  /** Of the model that answered; null = not known. */
  prices: Prices | null
}

/**
 * Shows the line between rounds: what the round cost in tokens, money and time. Its height is the same while it waits.
 */
export function RoundSeparator({ round, modelName, prices }: Props) {
  const facts = round.response
    ? responseFacts(round.response, prices)
    : [`about ${formatCount(round.contextTokens)} tokens of context`]
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-t pt-2">
      <h3 className="text-sm">
        {round.closing ? `Final answer (round ${round.round})` : `Round ${round.round}`}
      </h3>
      <ul className="numeric flex flex-wrap gap-x-3 text-muted text-sm">
        <li>{visibleText(modelName)}</li>
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
