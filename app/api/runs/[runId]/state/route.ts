import { route } from '@toolgate/server/doors/http'
import { readRun } from '@toolgate/server/runs/read-run'
import { foldRun } from '@/lib/protocol/run/fold-run'

/** Answers the whole state of a run, for a page that began with its first rounds. */
export const GET = route({ role: 'member', scope: null }, async ({ ctx, params }) => {
  const { events } = await readRun(ctx, params.runId ?? '')
  return Response.json(foldRun(events), { headers: { 'cache-control': 'private, no-store' } })
})
