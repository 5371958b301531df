import { formatCount } from '@/lib/protocol/format'

const radius = 6
const around = 2 * Math.PI * radius

/** Shows how full the model's context window is, as a ring and a number. */
export function ContextUsed({
  tokens,
  windowTokens,
}: {
  tokens: number
  windowTokens: number | null
}) {
  if (windowTokens === null) {
    return (
      <span title="The size of this model's context window is not known">
        {formatCount(tokens)} tokens of context
      </span>
    )
  }
  const share = Math.min(1, tokens / windowTokens)
  const percent = share > 0 && share < 0.01 ? '< 1' : String(Math.round(share * 100))
  return (
    <span
      className="flex items-center gap-1"
      title={`About ${formatCount(tokens)} of ${formatCount(windowTokens)} tokens`}
    >
      <svg viewBox="0 0 16 16" className="size-4 -rotate-90" aria-hidden="true">
        <circle
          cx="8"
          cy="8"
          r={radius}
          fill="none"
          strokeWidth="2.5"
          className="stroke-surface-3"
        />
        <circle
          cx="8"
          cy="8"
          r={radius}
          fill="none"
          strokeWidth="2.5"
          strokeDasharray={`${share * around} ${around}`}
          className={share > 0.8 ? 'stroke-warning' : 'stroke-link'}
        />
      </svg>
      {percent} % of context
    </span>
  )
}
