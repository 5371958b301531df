import { AppError, TooLargeError } from '@/lib/kernel/errors'
import { nameTwice, twiceWords } from '@/lib/words/json-text'
import { type BodyPieces, guardedRequest } from './guarded-request'
import { bodyLimit } from './request-limits'

/** Returns the body of a request as it came. Throws AppError 413 once it is longer than its path allows. */
export async function readBody(request: Request): Promise<Buffer> {
  return Buffer.concat(await readPieces(request))
}

/**
 * Returns the body of a request in pieces: a long one as the guard received it, which is read only once. Throws AppError
 * 413 once it is longer than its path allows.
 */
export async function readPieces(request: Request): Promise<BodyPieces> {
  const maxBytes = bodyLimit(new URL(request.url).pathname)
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes)
    throw new TooLargeError(maxBytes)
  const received = takeReceived()
  if (received) return received
  const pieces: BodyPieces = []
  let size = 0
  for await (const piece of bodyOf(request)) {
    size += piece.byteLength
    if (size > maxBytes) throw new TooLargeError(maxBytes)
    pieces.push(piece)
  }
  return pieces
}

function takeReceived(): BodyPieces | undefined {
  const guarded = guardedRequest()
  const body = guarded?.body
  delete guarded?.body
  return body
}

async function* bodyOf(request: Request): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = request.body?.getReader()
  if (!reader) return
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      yield new Uint8Array(part.value)
  } finally {
    await reader.cancel()
  }
}

/** Parses the JSON body of a request. Throws AppError 413, 415 or 400. */
export async function readJsonBody(request: Request): Promise<unknown> {
  requireJsonType(request)
  return parseJson(await readBody(request))
}

/**
 * Parses a JSON body that may be left out. An empty body counts as `{}`, whatever its headers say. Throws AppError 413,
 * 415 or 400.
 */
export async function readOptionalJsonBody(request: Request): Promise<unknown> {
  const bytes = await readBody(request)
  if (bytes.length === 0) return {}
  requireJsonType(request)
  return parseJson(bytes)
}

function requireJsonType(request: Request): void {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new AppError('unsupported-media-type', 415, 'Send the body as application/json.')
  }
}

function parseJson(bytes: Uint8Array): unknown {
  let text: string
  let value: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    value = JSON.parse(text)
  } catch {
    throw new AppError('malformed-json', 400, 'The body is not valid JSON in UTF-8.')
  }
  // Others who read the body, such as a proxy that lets it pass, may take the first of them.
  const twice = nameTwice(text)
  if (twice !== null) throw new AppError('malformed-json', 400, twiceWords(twice))
  return value
}
