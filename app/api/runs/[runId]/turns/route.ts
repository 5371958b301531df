import { route } from '@toolgate/server/doors/http'
import { readTurnsBefore } from '@toolgate/server/runs/conversations/read-turns-before'

/** Answers the turns before a run of a conversation, the oldest first. */
export const GET = route({ role: 'member', scope: null }, async ({ ctx, params }) => {
  const turns = await readTurnsBefore(ctx, params.runId ?? '')
  return Response.json({ turns }, { headers: { 'cache-control': 'private, no-store' } })
})
