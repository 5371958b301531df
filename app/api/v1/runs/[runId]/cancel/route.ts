import { z } from 'zod'
import { route } from '@/lib/kernel/http'
import { parseInput } from '@/lib/kernel/parse-input'
import { readOptionalJsonBody } from '@/lib/kernel/read-json-body'
import { cancelRun } from '@/lib/runs/cancel-run'
import { onlyMethods } from '../../../only-methods'

const Cancellation = z.strictObject({
  reason: z.string().trim().max(500, 'A reason has at most 500 characters.').default(''),
})

const cancel = route({ role: 'member', scope: 'runs:write' }, async ({ ctx, request, params }) => {
  const { reason } = parseInput(Cancellation, await readOptionalJsonBody(request))
  const { status } = await cancelRun(ctx, params.runId ?? '', reason)
  return Response.json({ status }, { status: status === 'ended' ? 200 : 202 })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ POST: cancel })
