import { z } from 'zod'
import { route } from '@/lib/http'
import { parseInput } from '@/lib/parse-input'
import { readJsonBody } from '@/lib/read-json-body'
import { cancelRun } from '@/lib/runs/cancel-run'
import { onlyMethods } from '../../../only-methods'

const maxBodyBytes = 16 * 1024

const Cancellation = z.strictObject({
  reason: z.string().trim().max(500, 'A reason has at most 500 characters.').default(''),
})

const cancel = route({ role: 'member', scope: 'runs:write' }, async ({ ctx, request, params }) => {
  const { reason } = parseInput(Cancellation, await optionalBody(request))
  const { status } = await cancelRun(ctx, params.runId ?? '', reason)
  return Response.json({ status }, { status: status === 'ended' ? 200 : 202 })
})

/** Stopping needs no words: no body is as good as `{}`. */
async function optionalBody(request: Request): Promise<unknown> {
  const { headers } = request
  const length = headers.get('content-length') ?? '0'
  const says = length !== '0' || headers.has('content-type') || headers.has('transfer-encoding')
  return says ? readJsonBody(request, maxBodyBytes) : {}
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ POST: cancel })
