import type { RoundView } from '@/lib/protocol/fold-run'
import { formatCount } from '@/lib/protocol/format'
import { VisibleText } from './visible-text'

/** What the model said to itself, folded. Blocks the provider keeps secret are only counted. */
export function Reasoning({ round }: { round: RoundView }) {
  const hidden = round.reasoning.filter((block) => block.redacted).length
  if (round.reasoningText.trim() === '' && hidden === 0) return null
  const thinking = round.response === null && round.text === ''
  return (
    <details className="group text-sm">
      <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-strong">
        <span aria-hidden className="inline-block w-3 transition-transform group-open:rotate-90">
          ›
        </span>{' '}
        {thinking ? 'Thinking…' : 'Reasoning'} ({formatCount(round.reasoningText.length)} characters
        {hidden > 0 && `, ${hidden} parts kept by the provider`})
      </summary>
      <p className="mt-1 max-w-[80ch] whitespace-pre-wrap border-l-2 pl-3 text-muted [overflow-wrap:anywhere]">
        <VisibleText text={round.reasoningText} />
      </p>
    </details>
  )
}
