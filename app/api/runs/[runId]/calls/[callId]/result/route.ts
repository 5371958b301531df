import { route } from '@toolgate/server/doors/http'
import { readCallResult } from '@toolgate/server/runs/read-run'

/** Answers the whole result of a call as plain text, so that a browser does not render it as a page. */
export const GET = route({ role: 'member', scope: null }, async ({ ctx, params }) => {
  const content = await readCallResult(ctx, params.runId ?? '', params.callId ?? '')
  return new Response(content, {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename="result.txt"',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    },
  })
})
