import { checkAddress, checkWire } from '@/lib/engines/providers/failures/connection-advice'
import { WireFailure } from '@/lib/engines/providers/failures/provider-error'
import { contentTypeOf, responseBytes } from './pooled-fetch'

/** Long lists of models with their descriptions take a megabyte or two. */
const largestBodyBytes = 8 * 1024 * 1024

/** Returns the JSON of an answer of `pooledFetch`. Throws WireFailure when it is a web page, too large or not JSON. */
export async function readJson(response: Response): Promise<unknown> {
  const bytes = responseBytes(response)
  const type = contentTypeOf(response)
  if (/\bhtml\b/i.test(type)) {
    bytes.destroy()
    throw wrong(`The address answers with a web page. ${checkAddress}`, { contentType: type })
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > largestBodyBytes) {
      bytes.destroy()
      throw wrong(`The answer of this address is too large. ${checkAddress}`, { largestBodyBytes })
    }
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw wrong(`The address answers, but not with JSON. ${checkWire}`, {
      head: text.slice(0, 2_000),
    })
  }
}

function wrong(advice: string, detail: unknown): WireFailure {
  return new WireFailure('invalid-response', advice, detail, 200)
}
