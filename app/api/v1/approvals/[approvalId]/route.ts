import { z } from 'zod'
import { DecideApproval } from '@/lib/domains/approvals/schemas'
import { route } from '@/lib/kernel/http'
import { parseId } from '@/lib/kernel/parse-id'
import { decideApproval } from '@/lib/runs/decide-approval'
import { onlyMethods } from '../../only-methods'

const Answer = z.strictObject(DecideApproval.omit({ approvalId: true }).shape)

const decide = route(
  { role: 'member', scope: 'approvals:write', body: Answer },
  async ({ ctx, params, body }) => {
    const approvalId = parseId(params.approvalId, 'This approval')
    return Response.json({ approvalId, ...(await decideApproval(ctx, { approvalId, ...body })) })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ POST: decide })
