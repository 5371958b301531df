import { bodyLimit } from './body-limits'
import { TooLargeError } from './errors'

/** Returns the body of a request as it came. Throws AppError 413 once it is longer than its path allows. */
export async function readBody(request: Request): Promise<Buffer> {
  const maxBytes = bodyLimit(new URL(request.url).pathname)
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes)
    throw new TooLargeError(maxBytes)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bodyOf(request)) {
    size += chunk.byteLength
    if (size > maxBytes) throw new TooLargeError(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function* bodyOf(request: Request): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader()
  if (!reader) return
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value
  } finally {
    await reader.cancel()
  }
}
