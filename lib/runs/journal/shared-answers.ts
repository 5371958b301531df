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

/** Known length of a run's open answer. */
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

/** Interval at which new text is sent (SPEC J2). */
const sendEveryMs = 40
/** A process that watches asks again this often, which also brings what was lost on the way. */
const askEveryMs = 3_000
/** A run is shared this long after the last question. */
const sharedForMs = 10_000
/** Delay before a missing part is requested: usually the answer to the first question is on the way. */
const missingAfterMs = 100
/** PostgreSQL refuses notices of 8,000 bytes. A unit has at most 3, and the name of a call is short. */
const mostUnits = 2_000
const mostBytes = 7_900
const mostRunsPerQuestion = 120

/** Sent part of the answer of a run that others watch. `until`: a time of `performance.now()`, which is monotonic. */
type Shared = AnswerPlace & { until: number }

/** The answers that processes share while they stream. Nothing is sent when nobody elsewhere watches. */
export class SharedAnswers {
  readonly #options: Options
  /** Runs that are watched elsewhere, whoever works on them: a process that continues one knows it already. */
  readonly #shared = new Map<string, Shared>()
  readonly #grown = new Set<string>()
  readonly #wanted = new Set<string>()
  /** Questions from before this process listened were not heard: others are asked to repeat them. */
  #listensAnew = false
  readonly #sending = paced(sendEveryMs, () => this.#sendGrown())
  readonly #asking = paced(missingAfterMs, () => this.#sendQuestions())
  readonly #again: NodeJS.Timeout
  readonly #unsubscribe: (() => void)[]

  constructor(options: Options) {
    this.#options = options
    this.#again = setInterval(() => {
      if (this.#wanted.size > 0) this.#asking.soon()
    }, askEveryMs).unref()
    const { notifications } = options
    this.#unsubscribe = [
      notifications.subscribe(channels.watched, (payload) => this.#hearQuestion(payload)),
      notifications.subscribe(channels.answers, (payload) => this.#hearPiece(payload)),
    ]
  }

  /** Asks the process that works on a run for its open answer, until `ignore`. */
  want(runId: string): void {
    if (this.#wanted.has(runId)) return
    this.#wanted.add(runId)
    this.#asking.soon()
  }

  ignore(runId: string): void {
    this.#wanted.delete(runId)
  }

  /** Sends what was added to the answer of this run, if another process watches it. */
  grew(runId: string): void {
    if (!this.#shared.has(runId)) return
    this.#grown.add(runId)
    this.#sending.soon()
  }

  close(): void {
    clearInterval(this.#again)
    this.#sending.stop()
    this.#asking.stop()
    for (const each of this.#unsubscribe) each()
  }

  async #sendGrown(): Promise<void> {
    const payloads = [...this.#grown].flatMap((runId) => this.#unsent(runId))
    this.#grown.clear()
    if (payloads.length > 0) await this.#options.send(channels.answers, payloads)
  }

  async #sendQuestions(): Promise<void> {
    const { instanceId, send, placeOf } = this.#options
    const places = [...this.#wanted].map(placeOf)
    const questions = this.#listensAnew && instanceId !== '' ? [instanceId] : []
    this.#listensAnew = false
    for (let at = 0; at < places.length; at += mostRunsPerQuestion) {
      const some = places.slice(at, at + mostRunsPerQuestion)
      const words = some.map(({ runId, start, length }) => `${runId}:${start}:${length}`)
      questions.push([instanceId, ...words].join(' '))
    }
    if (questions.length > 0) await send(channels.watched, questions)
  }

  /** Returns the payloads with what was not sent yet of the answer of a run. */
  #unsent(runId: string): string[] {
    const known = this.#shared.get(runId)
    const answer = this.#options.answerOf(runId)
    if (!known || !answer) return []
    if (known.until < performance.now()) {
      this.#shared.delete(runId)
      return []
    }
    const pieces = answerFrom(answer, known.start === answer.start ? known.length : 0)
    known.start = answer.start
    known.length = answer.length
    return pieces
      .flatMap((piece) => cutDelta(piece, mostUnits))
      .map((piece) => `${this.#options.instanceId} ${runId} ${JSON.stringify(piece)}`)
      .filter((payload) => Buffer.byteLength(payload) < mostBytes)
  }

  #share({ runId, start, length }: AnswerPlaceOf, now: number): void {
    const answer = this.#options.answerOf(runId)
    const sent = this.#shared.get(runId)
    const current = answer?.start ?? 0
    const known = start === current ? length : 0
    const before = sent?.start === current ? Math.min(sent.length, known) : known
    this.#shared.set(runId, { start: current, length: before, until: now + sharedForMs })
    if (answer) this.grew(runId)
  }

  #hearQuestion(payload: string): void {
    const [asker, ...places] = payload.split(' ')
    if (payload === '') this.#listensAnew = true
    else if (asker === this.#options.instanceId) return
    if (places.length === 0) this.#asking.soon()
    const now = performance.now()
    for (const [runId, { until }] of this.#shared) if (until < now) this.#shared.delete(runId)
    for (const place of places) {
      const [runId = '', start, length] = place.split(':')
      this.#share({ runId, start: Number(start), length: Number(length) }, now)
    }
  }

  #hearPiece(payload: string): void {
    const afterWriter = payload.indexOf(' ')
    const afterRun = payload.indexOf(' ', afterWriter + 1)
    if (payload.slice(0, afterWriter) === this.#options.instanceId) return
    if (!this.#wanted.has(payload.slice(afterWriter + 1, afterRun))) return
    if (!this.#options.receive(JSON.parse(payload.slice(afterRun + 1)))) this.#asking.soon()
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
