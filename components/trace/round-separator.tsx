import { cn } from '@/components/ui/cn'
import { formatCostMicroUsd, formatCount, formatDuration } from '@/lib/protocol/format'
import type { FinishReason } from '@/lib/protocol/model-event'
import type { RoundResponse, RoundView } from '@/lib/protocol/round-view'
import { visibleText } from '@/lib/protocol/visible-text'

const finishWords: Record<FinishReason, string> = {
  stop: 'finished',
  'tool-calls': 'called tools',
  length: 'max output tokens reached',
  'content-filter': 'content filter',
  cut: 'stream cut off',
}

/** The line between rounds: what this one cost in tokens, money and time. It keeps its height while it waits. */
export function RoundSeparator({ round, modelName }: { round: RoundView; modelName: string }) {
  const facts = round.response
    ? responseFacts(round.response)
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

function responseFacts(response: RoundResponse): string[] {
  const { usage } = response
  const about = usage.estimated ? 'about ' : ''
  const cached =
    usage.cachedInputTokens > 0 ? ` (${formatCount(usage.cachedInputTokens)} cached)` : ''
  return [
    `${about}${formatCount(usage.inputTokens)} in${cached}`,
    `${formatCount(usage.outputTokens)} out`,
    formatCostMicroUsd(response.costMicroUsd),
    formatDuration(response.latencyMs),
    ...(response.firstTokenMs === null
      ? []
      : [`first token ${formatDuration(response.firstTokenMs)}`]),
    finishWords[response.finishReason],
  ]
}
