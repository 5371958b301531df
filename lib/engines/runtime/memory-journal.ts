import type { RunEvent } from '@/lib/protocol/run-event'
import type { Journal, SavedImage } from './deps'
import { keepNative, type NativeAnswers } from './native-answers'
import type { Subject } from './policy/subject'

type Options = {
  runId: string
  loadSubject: () => Promise<Subject>
  now: () => number
  /** Called with each event as it is appended. */
  onEvent?: (event: RunEvent) => void
}

/** Returns a journal in memory: for tests, the benchmark and single runs without a database. */
export function memoryJournal(options: Options): Journal & {
  events: RunEvent[]
  results: Map<string, string>
  images: SavedImage[]
} {
  const events: RunEvent[] = []
  const results = new Map<string, string>()
  const images: SavedImage[] = []
  const natives: NativeAnswers = new Map()
  const append: Journal['append'] = (body, native) => {
    keepNative(natives, body, native)
    const event = { ...body, runId: options.runId, seq: events.length + 1, at: options.now() }
    events.push(event)
    options.onEvent?.(event)
    return event
  }
  return {
    events,
    results,
    images,
    append,
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
