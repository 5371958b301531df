import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { BodyPieces } from '@/lib/edge/guarded-request'
import { frameworkBodyBytes, strangerBodyBytes } from '@/lib/edge/request-limits'
import { AppError, TooLargeError, UnauthenticatedError } from '@/lib/kernel/errors'

type Options = {
  maxBytes: number
  /** Called once, when the body is longer than it may be without a session or key. */
  senderIsKnown: () => Promise<boolean>
  /** Time limit of a body, plus a second for each 16 KiB that have arrived. */
  graceMs?: number
}

const bytesPerMs = (16 * 1024) / 1000

const largestPiece = 1024 * 1024
/** Pause after each of these reads, so that a client on a fast network leaves most of the time to others. */
const restMs = 5

/** Node's own symbol of streams that were read, which `new Request({ body })` refuses. */
const isDisturbed = Symbol.for('nodejs.stream.disturbed')

/**
 * Reads the whole body of a request. Puts it back for the framework and returns no pieces, or returns the pieces of one
 * that is longer than the framework reads; null when the client went away first. Throws AppError 413 when the body is
 * longer than `maxBytes`, 408 when it does not arrive in time, and 401 when it is too long for a stranger; nothing beyond
 * the limit is kept.
 */
export async function receiveBody(
  request: IncomingMessage,
  { maxBytes, senderIsKnown, graceMs = 10_000 }: Options,
): Promise<BodyPieces | null> {
  const begun = performance.now()
  const kept = keepPieces()
  let size = 0
  let restedAt = 0
  let keptBytes = Math.min(maxBytes, strangerBodyBytes)
  let isAsked = keptBytes === maxBytes
  // Most bodies arrive together with their headers.
  await nextTurn()
  while (!request.destroyed) {
    if (!isAsked && size + request.readableLength > keptBytes) {
      isAsked = true
      if (await senderIsKnown()) keptBytes = maxBytes
    }
    while (request.readableLength > 0) {
      const chunk: Buffer = request.read()
      size += chunk.length
      if (size > maxBytes) throw new TooLargeError(maxBytes)
      if (size <= keptBytes) kept.add(chunk)
    }
    if (request.complete) {
      if (size > keptBytes) throw tooLongForStranger()
      // In the same turn as the last read, before the stream emits "end".
      return giveBack(request, kept.pieces(), size)
    }
    if (size - restedAt >= largestPiece) {
      restedAt = size
      await sleep(restMs)
      // More may have come meanwhile, or the end.
      continue
    }
    const leftMs = graceMs + size / bytesPerMs - (performance.now() - begun)
    if (leftMs <= 0) throw tooSlow()
    await somethingHappens(request, leftMs)
  }
  return null
}

/**
 * Puts a body back, so that whoever reads next finds it complete. One that is longer than the framework reads is returned
 * instead: the framework would copy it as a whole, several times, while all other requests wait.
 */
function giveBack(request: IncomingMessage, pieces: BodyPieces, size: number): BodyPieces {
  const isLong = size > frameworkBodyBytes
  if (!isLong) for (const piece of pieces.toReversed()) request.unshift(piece)
  Object.assign(request, { [isDisturbed]: false })
  return isLong ? pieces : []
}

/**
 * Keeps copies of chunks in pieces that double in size, because a chunk of one byte would keep the socket's whole buffer
 * in memory.
 */
function keepPieces() {
  const full: BodyPieces = []
  let last = new Uint8Array()
  let filled = 0
  let size = 0
  return {
    add(chunk: Uint8Array): void {
      let rest = chunk
      while (rest.length > 0) {
        if (filled === last.length) {
          if (filled > 0) full.push(last)
          last = new Uint8Array(Math.min(largestPiece, Math.max(rest.length, size)))
          filled = 0
        }
        const part = rest.subarray(0, last.length - filled)
        last.set(part, filled)
        filled += part.length
        size += part.length
        rest = rest.subarray(part.length)
      }
    },
    pieces: (): BodyPieces => (filled === 0 ? full : [...full, last.slice(0, filled)]),
  }
}

/** Resolves when there is something to read, the body or the connection has ended, or the time is over. */
function somethingHappens(request: IncomingMessage, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      request.off('readable', done).off('close', done)
      resolve()
    }
    const timer = setTimeout(done, limitMs)
    request.on('readable', done).on('close', done)
  })
}

function tooSlow(): AppError {
  const message = 'The request took too long to arrive. Check the connection and try again.'
  return new AppError('request-timeout', 408, message)
}

function tooLongForStranger(): UnauthenticatedError {
  const kibibytes = strangerBodyBytes / 1024
  return new UnauthenticatedError(
    `Sign in, or send a valid API key. Without that, the body of a request may have at most ${kibibytes} KiB.`,
  )
}
