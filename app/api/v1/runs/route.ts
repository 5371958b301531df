import { z } from 'zod'
import { route } from '@/lib/kernel/http'
import { listRuns } from '@/lib/runs/list-runs'
import { RunFields, RunFilter } from '@/lib/runs/schemas'
import { startRun } from '@/lib/runs/start-run'
import { onlyMethods } from '../only-methods'

/** Strict: a misspelt `maxRounds` is an error, not five rounds. */
const NewRun = z.strictObject(RunFields.omit({ idempotencyKey: true }).shape)

const start = route(
  { role: 'member', scope: 'runs:write', body: NewRun },
  async ({ ctx, request, body }) => {
    const idempotencyKey = request.headers.get('idempotency-key')
    const { runId, created } = await startRun(ctx, { ...body, idempotencyKey })
    const headers = { location: `/api/v1/runs/${runId}` }
    return Response.json({ runId }, { status: created ? 202 : 200, headers })
  },
)

const list = route(
  { role: 'member', scope: 'runs:read', query: RunFilter },
  async ({ ctx, query }) => {
    const { rows, total } = await listRuns(ctx, query)
    return Response.json({ runs: rows, total, page: query.page, pageSize: query.pageSize })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: list,
  POST: start,
})
