import { route } from '@toolgate/server/doors/http'
import { readRun } from '@toolgate/server/runs/read-run'

/** Returns a run's journal as NDJSON: one event a line, in order. */
export const GET = route({ role: 'member', scope: null }, async ({ ctx, params }) => {
  const { runId, events } = await readRun(ctx, params.runId ?? '')
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('')
  return new Response(lines, {
    headers: {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="run-${runId}.ndjson"`,
      'x-content-type-options': 'nosniff',
    },
  })
})
