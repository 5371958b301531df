import 'server-only'
import type { Database } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import {
  type AnswerPlace,
  answerFrom,
  cutDelta,
  type OpenAnswer,
  type RunDelta,
} from '@/lib/protocol/run/run-delta'
import { channels, type Notifications } from './notifications'

/** Sends notifications to every process on the database. */
export type Send = (channel: string, payloads: readonly string[]) => Promise<unknown>

/** Returns what sends notifications in one statement. */
export function sendOn({ pool }: Pick<Database, 'pool'>): Send {
  const text = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload'
  return (channel, payloads) => pool.query({ name: 'notify', text, values: [channel, payloads] })
}

/** How much of the open answer of a run is known. */
export type AnswerPlaceOf = AnswerPlace & { runId: string }

type Options = {
  notifications: Notifications
  instanceId: string
  send: Send
  /** Returns the open answer of a run that this engine works on; null = there is none, or another one works on it. */
  answerOf: (runId: string) => OpenAnswer | null
  /** Returns what is known here of the answer of a run that another process works on. */
  placeOf: (runId: string) => AnswerPlaceOf
  /** Takes a piece from another process. Returns false when something before it is missing. */
  receive: (delta: RunDelta) => boolean
}

/** The answers that processes share while they stream. Nothing is sent when nobody elsewhere watches. */
type SharedAnswers = {
  /** Asks the process that works on a run for its open answer, until `ignore`. */
  want: (runId: string) => void
  ignore: (runId: string) => void
  /** Sends what was added to the answer of this run, if another process asked for it. */
  grew: (runId: string) => void
  close: () => void
}

/** What was added is sent together this often (SPEC J2). */
const sendEveryMs = 40
/** A process that watches asks again this often, which also brings what was lost on the way. */
const askEveryMs = 3_000
/** A run is shared this long after the last question. */
const sharedForMs = 10_000
/** How soon it asks when something is missing: usually the answer to its first question is on the way. */
const missingAfterMs = 100
/** PostgreSQL refuses notices of 8,000 bytes. A unit has at most 3, and the name of a call is short. */
const mostUnits = 2_000
const mostBytes = 7_900
const mostRunsPerQuestion = 120

/** What was sent of the answer of a run that others watch. `until` is a time of `performance.now()`, which nobody sets back. */
type Shared = AnswerPlace & { until: number }

/** Opens the exchange of one process. */
export function openSharedAnswers(options: Options): SharedAnswers {
  const { notifications, instanceId, send, answerOf, placeOf, receive } = options
  /** Runs that are watched elsewhere, whoever works on them: a process that continues one knows it already. */
  const shared = new Map<string, Shared>()
  const grown = new Set<string>()
  const wanted = new Set<string>()
  const sending = paced(sendEveryMs, async () => {
    const payloads = [...grown].flatMap(unsent)
    grown.clear()
    if (payloads.length > 0) await send(channels.answers, payloads)
  })
  /** Questions from before this process listened were not heard: others are asked to repeat them. */
  let listensAnew = false
  const asking = paced(missingAfterMs, async () => {
    const places = [...wanted].map(placeOf)
    const questions = listensAnew && instanceId !== '' ? [instanceId] : []
    listensAnew = false
    for (let at = 0; at < places.length; at += mostRunsPerQuestion) {
      const some = places.slice(at, at + mostRunsPerQuestion)
      const words = some.map(({ runId, start, length }) => `${runId}:${start}:${length}`)
      questions.push([instanceId, ...words].join(' '))
    }
    if (questions.length > 0) await send(channels.watched, questions)
  })
  const again = setInterval(() => {
    if (wanted.size > 0) asking.soon()
  }, askEveryMs).unref()

  /** Returns the payloads with what was not sent yet of the answer of a run. */
  const unsent = (runId: string): string[] => {
    const known = shared.get(runId)
    const answer = answerOf(runId)
    if (!known || !answer) return []
    if (known.until < performance.now()) {
      shared.delete(runId)
      return []
    }
    const pieces = answerFrom(answer, known.start === answer.start ? known.length : 0)
    known.start = answer.start
    known.length = answer.length
    return pieces
      .flatMap((piece) => cutDelta(piece, mostUnits))
      .map((piece) => `${instanceId} ${runId} ${JSON.stringify(piece)}`)
      .filter((payload) => Buffer.byteLength(payload) < mostBytes)
  }

  const share = ({ runId, start, length }: AnswerPlaceOf, now: number): void => {
    const answer = answerOf(runId)
    const sent = shared.get(runId)
    const current = answer?.start ?? 0
    const known = start === current ? length : 0
    const before = sent?.start === current ? Math.min(sent.length, known) : known
    shared.set(runId, { start: current, length: before, until: now + sharedForMs })
    if (answer) grew(runId)
  }

  const grew = (runId: string): void => {
    if (!shared.has(runId)) return
    grown.add(runId)
    sending.soon()
  }

  const hearQuestion = (payload: string): void => {
    const [asker, ...places] = payload.split(' ')
    if (payload === '') listensAnew = true
    else if (asker === instanceId) return
    if (places.length === 0) asking.soon()
    const now = performance.now()
    for (const [runId, { until }] of shared) if (until < now) shared.delete(runId)
    for (const place of places) {
      const [runId = '', start, length] = place.split(':')
      share({ runId, start: Number(start), length: Number(length) }, now)
    }
  }

  const hearPiece = (payload: string): void => {
    const afterWriter = payload.indexOf(' ')
    const afterRun = payload.indexOf(' ', afterWriter + 1)
    if (payload.slice(0, afterWriter) === instanceId) return
    if (!wanted.has(payload.slice(afterWriter + 1, afterRun))) return
    if (!receive(JSON.parse(payload.slice(afterRun + 1)))) asking.soon()
  }

  const unsubscribe = [
    notifications.subscribe(channels.watched, hearQuestion),
    notifications.subscribe(channels.answers, hearPiece),
  ]
  return {
    want: (runId) => {
      if (wanted.has(runId)) return
      wanted.add(runId)
      asking.soon()
    },
    ignore: (runId) => void wanted.delete(runId),
    grew,
    close: () => {
      clearInterval(again)
      sending.stop()
      asking.stop()
      for (const each of unsubscribe) each()
    },
  }
}

/** Returns what does `work` soon, at most every `everyMs`, and never twice at a time. What fails is not repeated. */
function paced(everyMs: number, work: () => Promise<void>) {
  let timer: NodeJS.Timeout | null = null
  let lastAt = Number.NEGATIVE_INFINITY
  let isWorking = false
  let isDue = false
  let isStopped = false

  const begin = async (): Promise<void> => {
    timer = null
    isDue = false
    isWorking = true
    lastAt = performance.now()
    await work().catch((error) =>
      log.debug({ source: 'feed', error: String(error) }, 'Cannot share the answer of a run'),
    )
    isWorking = false
    if (isDue) soon()
  }
  const soon = (): void => {
    if (isStopped || timer) return
    isDue = true
    if (isWorking) return
    const waitMs = Math.max(0, lastAt + everyMs - performance.now())
    timer = setTimeout(() => void begin(), waitMs).unref()
  }
  return {
    soon,
    stop: () => {
      isStopped = true
      if (timer) clearTimeout(timer)
    },
  }
}
