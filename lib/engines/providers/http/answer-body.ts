import type { Dispatcher } from 'undici'

/** Number of unread bytes at which the connection is paused. */
const mostHeld = 64 * 1024

export type AnswerHead = { status: number; headers: Record<string, string | string[] | undefined> }

/** Result of `next` when nothing more arrived in time. */
export const late = Symbol('late')

/**
 * One answer of undici's `dispatch`: its head, and then its body as the bytes arrive. It does what undici's `request`
 * does without a Node stream, whose iterator costs more than the rest of a short answer.
 */
export class AnswerBody implements Dispatcher.DispatchHandler {
  readonly head: Promise<AnswerHead>
  #begin: (head: AnswerHead) => void = () => {}
  #fail: (error: unknown) => void = () => {}
  #connection: Dispatcher.DispatchController | null = null
  #held: Uint8Array[] = []
  #heldBytes = 0
  #state: 'open' | 'ended' | 'discarded' = 'open'
  #failure: { error: unknown } | null = null
  #wake: (() => void) | null = null
  #giveUp: NodeJS.Timeout | undefined

  /** `signal` gives up the request, also before it has a connection. */
  constructor(readonly signal: AbortSignal | null) {
    this.head = new Promise((resolve, reject) => {
      this.#begin = resolve
      this.#fail = reject
    })
    if (signal?.aborted) this.#abort()
    else signal?.addEventListener('abort', this.#abort, { once: true })
  }

  readonly #abort = (): void => {
    const reason: unknown = this.signal?.reason
    this.#close({ error: reason })
    this.#connection?.abort(asError(reason))
  }

  onRequestStart(connection: Dispatcher.DispatchController): void {
    this.#connection = connection
    if (this.#failure) connection.abort(asError(this.#failure.error))
  }

  onResponseStart(_: unknown, status: number, headers: AnswerHead['headers']): void {
    if (status >= 200) this.#begin({ status, headers })
  }

  onResponseData(connection: Dispatcher.DispatchController, piece: Uint8Array): void {
    if (this.#state !== 'open') return
    this.#held.push(piece)
    this.#heldBytes += piece.length
    if (this.#heldBytes > mostHeld) connection.pause()
    this.#wake?.()
  }

  onResponseEnd(): void {
    this.#close(null)
  }

  onResponseError(_: unknown, error: unknown): void {
    this.#close({ error })
  }

  /** The end, or the first failure, counts. */
  #close(failure: { error: unknown } | null): void {
    if (this.#state === 'ended') return
    this.#failure ??= failure
    this.#state = 'ended'
    clearTimeout(this.#giveUp)
    this.signal?.removeEventListener('abort', this.#abort)
    if (failure) this.#fail(failure.error)
    this.#wake?.()
  }

  /**
   * Resolves with the bytes that arrived since the last call, null at the end, and `late` when none came within
   * `waitMs`. Rejects with what broke the connection, after all bytes that came before; with an abort at once.
   */
  async next(waitMs = Number.POSITIVE_INFINITY): Promise<Uint8Array | typeof late | null> {
    if (this.#held.length === 0 && this.#state === 'open') {
      if (!(await this.#news(waitMs))) return late
    }
    if (this.#held.length > 0 && !this.signal?.aborted) return this.#take()
    if (this.#failure) throw this.#failure.error
    return null
  }

  #take(): Uint8Array | null {
    const [first = null] = this.#held
    const all = this.#held.length === 1 ? first : Buffer.concat(this.#held)
    this.#held = []
    const wasPaused = this.#heldBytes > mostHeld
    this.#heldBytes = 0
    if (wasPaused) this.#connection?.resume()
    return all
  }

  /** Resolves with true when something came, and with false when nothing came in time. */
  #news(waitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (came: boolean) => {
        clearTimeout(timer)
        this.#wake = null
        resolve(came)
      }
      const timer =
        waitMs === Number.POSITIVE_INFINITY
          ? undefined
          : setTimeout(settle, Math.max(waitMs, 1), false)
      this.#wake = () => settle(true)
    })
  }

  /** Gives up the connection, unless the answer ended. */
  destroy(): void {
    if (this.#state === 'ended') return
    const error = new Error('The body was closed before its end.')
    this.#held = []
    this.#close({ error })
    this.#connection?.abort(error)
  }

  /** Drops the rest, so that the connection can serve the next request, for `waitMs` at most. */
  discard(waitMs: number): void {
    if (this.#state !== 'open') return
    this.#state = 'discarded'
    this.#take()
    this.#giveUp = setTimeout(() => this.destroy(), waitMs)
    this.#giveUp.unref()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    try {
      for (;;) {
        const piece = await this.next()
        if (piece === null || piece === late) return
        yield piece
      }
    } finally {
      this.destroy()
    }
  }

  async text(): Promise<string> {
    const pieces: Uint8Array[] = []
    for await (const piece of this) pieces.push(piece)
    return Buffer.concat(pieces).toString('utf8')
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('The request was given up.')
}
