import { z } from 'zod'
import { route } from '@/lib/kernel/http'
import { parseId } from '@/lib/kernel/parse-id'
import { ChooseCostCap, chooseCostCap } from '@/lib/runs/choose-cost-cap'
import { onlyMethods } from '../../../only-methods'

const choose = route(
  {
    role: 'member',
    scope: 'runs:write',
    body: z.strictObject(ChooseCostCap.pick({ choice: true }).shape),
  },
  async ({ ctx, params, body }) => {
    const runId = parseId(params.runId, 'This run')
    await chooseCostCap(ctx, { runId, ...body })
    return Response.json({ runId, choice: body.choice })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ PUT: choose })
