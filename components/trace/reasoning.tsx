import { formatCount } from '@/lib/protocol/format'
import type { RoundView } from '@/lib/protocol/round-view'
import { Disclosure } from './disclosure'
import { VisibleText } from './visible-text'

/** What the model said to itself, folded. Blocks the provider keeps secret are only counted. */
export function Reasoning({ round }: { round: RoundView }) {
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
