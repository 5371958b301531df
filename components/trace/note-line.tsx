import {
  ArrowRightLeft,
  KeyRound,
  RotateCw,
  ShieldAlert,
  TriangleAlert,
  Unplug,
} from 'lucide-react'
import { cn } from '@/components/ui/cn'
import {
  keyChangeWords,
  lostWords,
  usedWords,
  withoutCommands,
} from '@/lib/protocol/model/failure-words'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { RoundNote } from '@/lib/protocol/run/round-view'
import { formatDuration } from '@/lib/words/format'
import { VisibleText } from './visible-text'

type Props = {
  note: RoundNote
  /** The note above it. A failure that it already describes is not described again. */
  before: RoundNote | undefined
  /** The advice that is shown at the end of the run: it is not given twice. */
  shownAtEnd: string | null
  targets: readonly ModelTarget[]
}

/** Says what happened in a round, at the place where it happened. */
export function NoteLine(props: Props) {
  const { note } = props
  const { icon: Icon, text } = lineOf(props)
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

function lineOf({ note, before, shownAtEnd, targets }: Props) {
  switch (note.type) {
    case 'retry': {
      const { attempt, delayMs } = note.data
      return {
        icon: RotateCw,
        text: `Retry ${attempt} in ${formatDuration(delayMs)}. ${why(note, before, shownAtEnd)}${usedWords(note.data)}`,
      }
    }
    case 'fallback': {
      const { from, to } = note.data
      const names = `${targetName(targets, from)} to ${targetName(targets, to)}`
      return {
        icon: ArrowRightLeft,
        text: `Changed from ${names}. ${why(note, before, shownAtEnd)}${usedWords(note.data)}`,
      }
    }
    case 'key-change': {
      const { failure } = note.data
      return {
        icon: KeyRound,
        text: `${keyChangeWords(note.data)} ${withoutCommands(failure.advice)}`,
      }
    }
    case 'lost':
      return { icon: Unplug, text: lostWords(note.data) }
    case 'warning':
      return { icon: isLeak(note) ? ShieldAlert : TriangleAlert, text: note.data.message }
    default:
      return note satisfies never
  }
}

type Failed = Extract<RoundNote, { type: 'retry' | 'fallback' }>

function why(
  { data: { failure } }: Failed,
  before: RoundNote | undefined,
  shownAtEnd: string | null,
): string {
  // After a fallback, the failure is another model's.
  const known = before?.type === 'retry' ? before.data.failure.advice : null
  if (failure.advice === known) return 'Same reason as before.'
  return failure.advice === shownAtEnd
    ? 'The reason is at the end.'
    : withoutCommands(failure.advice)
}

/** Returns whether a note says that the model repeated the canary: untrusted content may be steering it (SPEC T7). */
function isLeak(note: RoundNote): boolean {
  return note.type === 'warning' && note.data.code === 'canary'
}

/** Returns "gpt-4.1 (OpenAI)". */
export function targetName(targets: readonly ModelTarget[], index: number): string {
  const target = targets[index]
  return target ? `${target.modelId} (${target.connectionName})` : 'a deleted model'
}
