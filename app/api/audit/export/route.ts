import { AuditExport, exportAudit } from '@/lib/audit/export-audit'
import { route } from '@/lib/http'

const types = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson; charset=utf-8' }

/** The audit to take along, piece by piece; that it was taken is audited itself. */
export const GET = route(
  { role: 'admin', scope: null, query: AuditExport },
  async ({ ctx, query }) => {
    const pieces = await exportAudit(ctx, query)
    const day = new Date().toISOString().slice(0, 10)
    return new Response(toStream(pieces), {
      headers: {
        'content-type': types[query.format],
        'content-disposition': `attachment; filename="toolgate-audit-${day}.${query.format}"`,
        'x-content-type-options': 'nosniff',
      },
    })
  },
)

/** Reads on only as fast as the client takes it. */
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
