import { route } from '@toolgate/server/doors/http'
import { previewPolicy } from '@toolgate/server/edge/closed-policy'
import { readCallText } from '@toolgate/server/runs/read-run'

/**
 * Answers the text of a result as a page for the frame of the trace (SPEC J5). Its policy gives it an origin of its own, also where it
 * is opened without the frame: nothing in it runs, loads, is sent or leads anywhere.
 */
export const GET = route({ role: 'member', scope: null }, async ({ ctx, params }) => {
  const text = await readCallText(ctx, params.runId ?? '', params.callId ?? '')
  return new Response(text, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': previewPolicy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-store',
    },
  })
})
