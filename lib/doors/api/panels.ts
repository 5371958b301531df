import { z } from 'zod'
import { PanelFields } from '../../runs/panel-schemas'
import { choosePanel, listPanels, stopPanel } from '../../runs/panels'
import { readPanel } from '../../runs/read-panel'
import { startPanel } from '../../runs/start-panel'
import { endpoint, factsOf, serve } from './endpoint'

const NewPanel = z.strictObject(PanelFields.omit({ idempotencyKey: true }).shape)
const Started = z.object({ panelId: z.string() })

export const panelEndpoints = [
  serve('GET', '/panels', listPanels),
  endpoint(
    'POST',
    '/panels',
    {
      ...factsOf(startPanel),
      body: NewPanel,
      answers: { 200: Started, 202: Started },
      example: { configurations: ['demo', 'careful'], prompt: 'Is this plan safe?' },
    },
    async ({ ctx, request, body }) => {
      const idempotencyKey = request.headers.get('idempotency-key')
      const { panelId, created: isNew } = await startPanel(ctx, { ...body, idempotencyKey })
      const headers = { location: `/api/v1/panels/${panelId}` }
      return Response.json({ panelId }, { status: isNew ? 202 : 200, headers })
    },
  ),
  serve('GET', '/panels/{panelId}', readPanel),
  serve('POST', '/panels/{panelId}/stop', stopPanel, { bodyIsOptional: true }),
  serve('PUT', '/panels/{panelId}/choice', choosePanel),
]
