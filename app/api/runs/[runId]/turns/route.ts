import { route } from '@/lib/doors/http'
import { readTurnsBefore } from '@/lib/runs/conversations/read-turns-before'

/** Answers the turns before a run of a conversation, the oldest first. */
export const GET = route({ role: 'member', scope: null }, async ({ ctx, params }) => {
  const turns = await readTurnsBefore(ctx, params.runId ?? '')
  return Response.json({ turns }, { headers: { 'cache-control': 'private, no-store' } })
})
