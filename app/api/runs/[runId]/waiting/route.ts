import { route } from '@toolgate/server/doors/http'
import { readWaiting } from '@toolgate/server/runs/approvals/read-waiting'

/** Answers where a run stands that waits for a place to begin; null = it does not wait. */
export const GET = route({ role: 'member', scope: null }, async ({ ctx, params }) =>
  Response.json({ waiting: await readWaiting(ctx, params.runId ?? '') }),
)
