import {
  answerAfter,
  growAnswer,
  type OpenAnswer,
  placedPiece,
  type RunDelta,
  type RunUpdate,
} from '@/lib/protocol/run/run-delta'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import { keepNative, type NativeAnswers } from './ask/native-answers'
import type { Journal, SavedImage } from './deps'
import type { Subject } from './policy/subject'

type Options = {
  runId: string
  loadSubject: () => Promise<Subject>
  now: () => number
  /** Called with each event as it is appended, and each piece of an answer as it is shown. */
  onUpdate?: (update: RunUpdate) => void
}

/** Returns a journal in memory: for tests, the benchmark and single runs without a database. */
export function memoryJournal(options: Options): Journal & {
  events: RunEvent[]
  /** Shown parts of all answers. */
  deltas: RunDelta[]
  results: Map<string, string>
  images: SavedImage[]
} {
  const events: RunEvent[] = []
  const deltas: RunDelta[] = []
  let answer: OpenAnswer | null = null
  const results = new Map<string, string>()
  const images: SavedImage[] = []
  const natives: NativeAnswers = new Map()
  const append: Journal['append'] = (body, native) => {
    keepNative(natives, body, native)
    const event = { ...body, runId: options.runId, seq: events.length + 1, at: options.now() }
    events.push(event)
    answer = answerAfter(answer, event)
    options.onUpdate?.(event)
    return event
  }
  const show: Journal['show'] = (piece) => {
    if (!answer) return
    const delta = placedPiece(piece, answer)
    growAnswer(answer, piece)
    deltas.push(delta)
    options.onUpdate?.(delta)
  }
  return {
    events,
    deltas,
    results,
    images,
    append,
    show,
    nativeOf: (round) => natives.get(round) ?? null,
    flush: async () => undefined,
    begin: async (start, decide) => {
      const verdict = decide(await options.loadSubject())
      return { verdict, event: verdict.allowed ? append(start) : null }
    },
    saveResult: async (callId, content) => {
      results.set(callId, content)
    },
    saveImages: async (saved) => {
      images.push(...saved)
    },
  }
}
