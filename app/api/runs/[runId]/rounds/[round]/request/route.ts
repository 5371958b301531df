import { route } from '@toolgate/server/doors/http'
import { readSentRequest } from '@toolgate/server/runs/read-sent-request'

/** Answers the request of a round as it was sent, without secrets. */
export const GET = route({ role: 'member', scope: null }, async ({ ctx, params }) =>
  Response.json(await readSentRequest(ctx, params.runId ?? '', Number(params.round)), {
    headers: { 'cache-control': 'private, no-store' },
  }),
)
