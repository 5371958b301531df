import { route } from '@/lib/kernel/http'
import { readRun } from '@/lib/runs/read-run'
import { onlyMethods } from '../../only-methods'
import { runSummary } from './run-summary'

const read = route({ role: 'member', scope: 'runs:read' }, async ({ ctx, params }) =>
  Response.json(runSummary(await readRun(ctx, params.runId ?? ''))),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ GET: read })
