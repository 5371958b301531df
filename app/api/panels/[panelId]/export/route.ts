import { route } from '@toolgate/server/doors/http'
import { readPanel } from '@toolgate/server/runs/panels/read-panel'

/** Returns a panel as JSON: its members with their answers and figures, and what was chosen. */
export const GET = route({ role: 'member', scope: null }, async ({ ctx, params }) => {
  const panel = await readPanel(ctx, { panelId: params.panelId ?? '' })
  return new Response(`${JSON.stringify(panel, null, 2)}\n`, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="panel-${panel.panelId}.json"`,
      'x-content-type-options': 'nosniff',
    },
  })
})
