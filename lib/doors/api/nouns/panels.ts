import { z } from 'zod'
import { endpoint, factsOf, serve } from '@/lib/doors/api/endpoint'
import { choosePanelCap } from '@/lib/runs/panels/choose-panel-cap'
import { CoordinationFields } from '@/lib/runs/panels/coordination-schemas'
import { PanelFields } from '@/lib/runs/panels/panel-schemas'
import { choosePanel, listPanels, stopPanel } from '@/lib/runs/panels/panels'
import { readPanel } from '@/lib/runs/panels/read-panel'
import { startCoordination } from '@/lib/runs/panels/start-coordination'
import { startPanel } from '@/lib/runs/panels/start-panel'

const NewPanel = z.strictObject(PanelFields.omit({ idempotencyKey: true }).shape)
const NewCoordination = z.strictObject(CoordinationFields.omit({ idempotencyKey: true }).shape)
const Started = z.object({ panelId: z.string() })

function started({ panelId, created }: { panelId: string; created: boolean }): Response {
  const headers = { location: `/api/v1/panels/${panelId}` }
  return Response.json({ panelId }, { status: created ? 202 : 200, headers })
}

export const panelEndpoints = [
  serve('GET', '/panels', listPanels),
  endpoint(
    'POST',
    '/panels',
    {
      ...factsOf(startPanel),
      takesHeader: 'idempotency-key',
      body: NewPanel,
      answers: { 200: Started, 202: Started },
      example: { configurations: ['demo', 'careful'], prompt: 'Is this plan safe?' },
    },
    async ({ ctx, request, body }) => {
      const idempotencyKey = request.headers.get('idempotency-key')
      return started(await startPanel(ctx, { ...body, idempotencyKey }))
    },
  ),
  endpoint(
    'POST',
    '/coordinations',
    {
      ...factsOf(startCoordination),
      takesHeader: 'idempotency-key',
      body: NewCoordination,
      answers: { 200: Started, 202: Started },
      example: {
        prompt: 'Is the plan ready?',
        proposer: { configuration: 'fast' },
        critics: [{ configuration: 'careful' }],
        synthesizer: { configuration: 'careful' },
      },
    },
    async ({ ctx, request, body }) => {
      const idempotencyKey = request.headers.get('idempotency-key')
      return started(await startCoordination(ctx, { ...body, idempotencyKey }))
    },
  ),
  serve('GET', '/panels/{panelId}', readPanel),
  serve('POST', '/panels/{panelId}/stop', stopPanel, { bodyIsOptional: true }),
  serve('PUT', '/panels/{panelId}/choice', choosePanel),
  serve('PUT', '/panels/{panelId}/cost-cap', choosePanelCap),
]
