import 'server-only'
import type { ExportFormat } from './export-pieces'

const types: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
}

/** Text in pieces as a file to save, `toolgate-<name>-<day>.<format>`; read on only as fast as the client takes it. */
export function download(
  name: string,
  format: ExportFormat,
  pieces: AsyncGenerator<string>,
): Response {
  const day = new Date().toISOString().slice(0, 10)
  return new Response(toStream(pieces), {
    headers: {
      'content-type': types[format],
      'content-disposition': `attachment; filename="toolgate-${name}-${day}.${format}"`,
      'x-content-type-options': 'nosniff',
    },
  })
}

function toStream(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
}
