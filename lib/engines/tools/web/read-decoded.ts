import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'

/** Only newer versions of Node have it. */
const makeZstd: unknown = Reflect.get(zlib, 'createZstdDecompress')

/** The encodings that this Node can undo, as a request says it. */
export const acceptedEncodings = `gzip, deflate, br${makeZstd === undefined ? '' : ', zstd'}`

/** The content is longer than it may be, which is `most` bytes. */
export class TooLongError extends Error {
  constructor(readonly most: number) {
    super(`The content has more than ${most} bytes.`)
  }
}
/** The content has an encoding that cannot be undone, or is not what its encoding says. */
export class UndecodableError extends Error {}

type Coding = {
  encoding: string
  /** Unpacks content that is itself a gzip file, whatever its encoding says. */
  unpacks?: boolean
}

/**
 * Reads a body whole, with its encoding undone. `count` is told how long it is with each piece before the piece is kept; what
 * it throws ends the reading, whatever is still to come. Throws that, UndecodableError, and what breaks the body.
 */
export async function readDecoded(
  body: AsyncIterable<Uint8Array>,
  { encoding, unpacks = false }: Coding,
  count: (read: number) => Promise<void>,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let size = 0
  let packedSize = 0
  let refusal: { error: unknown } | undefined
  const counted = () =>
    // A small result can come from a large compressed body, so both sizes are limited.
    count(Math.max(size, packedSize)).catch((error) => {
      refusal = { error }
      throw error
    })
  const take = async (source: AsyncIterable<Uint8Array>) => {
    for await (const piece of unpacks ? unpacked(source, countPacked) : source) {
      size += piece.length
      await counted()
      pieces.push(piece)
    }
  }
  const countPacked = async (bytes: number) => {
    packedSize += bytes
    await counted()
  }
  const [decoder, source] = await decoderOf(encoding, body)
  try {
    await (decoder ? pipeline(source, decoder, take) : take(source))
  } catch (error) {
    // An error of the reader may end the decoder, whose own error then arrives first.
    if (refusal) throw refusal.error
    throw isOfZlib(error) ? new UndecodableError() : error
  }
  return joined(pieces, size)
}

async function decoderOf(
  encoding: string,
  body: AsyncIterable<Uint8Array>,
): Promise<[Transform | null, AsyncIterable<Uint8Array>]> {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return [null, body]
    case 'gzip':
    case 'x-gzip':
      return [zlib.createGunzip(), body]
    case 'br':
      return [zlib.createBrotliDecompress(), body]
    case 'zstd': {
      const zstd: unknown = typeof makeZstd === 'function' ? makeZstd() : null
      if (zstd instanceof Transform) return [zstd, body]
      throw new UndecodableError()
    }
    case 'deflate': {
      // Some servers leave out the header that the name stands for.
      const { first, whole } = await peeked(body)
      const isWhole = ((first?.[0] ?? 8) & 15) === 8
      return [isWhole ? zlib.createInflate() : zlib.createInflateRaw(), whole]
    }
    default:
      throw new UndecodableError()
  }
}

/** Yields content unpacked that is packed with gzip; other content as it is. `count` is told each packed piece before it is unpacked. */
async function* unpacked(
  source: AsyncIterable<Uint8Array>,
  count: (bytes: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const { first, whole } = await peeked(source)
  if (first?.[0] !== 0x1f || first[1] !== 0x8b) return yield* whole
  const counted = async function* () {
    for await (const piece of whole) {
      await count(piece.length)
      yield piece
    }
  }
  const decoder = zlib.createGunzip()
  // Destroying the source propagates its error to the decoder, and so to the reader.
  const fed = pipeline(counted, decoder).catch(() => undefined)
  yield* decoder
  await fed
}

async function peeked(body: AsyncIterable<Uint8Array>) {
  const iterator = body[Symbol.asyncIterator]()
  const { value: first, done } = await iterator.next()
  async function* whole() {
    if (done) return
    yield first
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { first: done ? null : first, whole: whole() }
}

function isOfZlib(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(Z_|ERR__?ERROR|ERR_BROTLI|ERR_PADDING|ERR_ZSTD|ZSTD_)/.test(code)
}

/** Returns the pieces as one. */
function joined(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
