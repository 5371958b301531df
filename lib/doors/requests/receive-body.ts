import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { strangerBodyBytes } from '../../kernel/body-limits'
import { AppError, TooLargeError, UnauthenticatedError } from '../../kernel/errors'

type Options = {
  maxBytes: number
  /** Called once, when the body is longer than it may be without a session or key. */
  senderIsKnown: () => Promise<boolean>
  /** How long a body may take, plus a second for each 16 KiB that have arrived. */
  graceMs?: number
}

const bytesPerMs = (16 * 1024) / 1000

/** Node's own symbol of streams that were read, which `new Request({ body })` refuses. */
const isDisturbed = Symbol.for('nodejs.stream.disturbed')

/**
 * Reads the whole body of a request and puts it back, so that the handler finds it complete. False when the client went
 * away first. Throws AppError 413 when the body is longer than `maxBytes`, 408 when it does not arrive in time, and 401
 * when it is too long for a stranger; nothing beyond the limit is kept.
 */
export async function receiveBody(
  request: IncomingMessage,
  { maxBytes, senderIsKnown, graceMs = 10_000 }: Options,
): Promise<boolean> {
  const begun = performance.now()
  let body: Buffer = Buffer.alloc(0)
  let size = 0
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
      if (size <= keptBytes) body = append(body, size, chunk, keptBytes)
    }
    if (request.complete) {
      if (size > keptBytes) throw tooLongForStranger()
      // In the same turn as the last read, before the stream emits "end".
      if (size > 0) request.unshift(body.subarray(0, size))
      Object.assign(request, { [isDisturbed]: false })
      return true
    }
    const leftMs = graceMs + size / bytesPerMs - (performance.now() - begun)
    if (leftMs <= 0) throw tooSlow()
    await somethingHappens(request, leftMs)
  }
  return false
}

/** Returns a copy, because a chunk of one byte would keep the socket's whole buffer in memory. */
function append(body: Buffer, size: number, chunk: Buffer, maxBytes: number): Buffer {
  const room =
    size <= body.length ? body : Buffer.alloc(Math.min(maxBytes, Math.max(size, 2 * body.length)))
  if (room !== body) body.copy(room)
  chunk.copy(room, size - chunk.length)
  return room
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
