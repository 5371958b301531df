import { ArrowRightLeft, RotateCw, ShieldAlert, TriangleAlert, Unplug } from 'lucide-react'
import { cn } from '@/components/ui/cn'
import { formatDuration } from '@/lib/protocol/format'
import { lostWords } from '@/lib/protocol/lost-words'
import type { ModelTarget } from '@/lib/protocol/model-target'
import type { RoundNote } from '@/lib/protocol/round-view'
import { VisibleText } from './visible-text'

/** Something that happened on the way, in words, where it happened. */
export function NoteLine({ note, targets }: { note: RoundNote; targets: readonly ModelTarget[] }) {
  const { icon: Icon, text } = lineOf(note, targets)
  return (
    <p
      className={cn(
        'flex items-start gap-1.5 text-sm',
        isLeak(note) ? 'text-error' : 'text-warning',
      )}
    >
      <Icon className="mt-px size-4 shrink-0" aria-hidden />
      <span>
        <VisibleText text={text} />
      </span>
    </p>
  )
}

function lineOf(note: RoundNote, targets: readonly ModelTarget[]) {
  switch (note.type) {
    case 'retry': {
      const { attempt, delayMs, failure } = note.data
      return {
        icon: RotateCw,
        text: `Try ${attempt + 1} follows after ${formatDuration(delayMs)}. ${failure.advice}`,
      }
    }
    case 'fallback': {
      const { from, to, failure } = note.data
      const names = `${targetName(targets, from)} to ${targetName(targets, to)}`
      return { icon: ArrowRightLeft, text: `Changed from ${names}. ${failure.advice}` }
    }
    case 'lost':
      return { icon: Unplug, text: lostWords(note.data) }
    case 'warning':
      return { icon: isLeak(note) ? ShieldAlert : TriangleAlert, text: note.data.message }
    default:
      return note satisfies never
  }
}

/** The model wrote what stands beside untrusted content only: somebody else may be steering it (SPEC T7). */
function isLeak(note: RoundNote): boolean {
  return note.type === 'warning' && note.data.code === 'canary'
}

/** "gpt-4.1 (OpenAI)" */
export function targetName(targets: readonly ModelTarget[], index: number): string {
  const target = targets[index]
  return target ? `${target.modelId} (${target.connectionName})` : 'a model that is no longer known'
}
