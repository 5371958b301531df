import { z } from 'zod'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { readOptionalJsonBody } from '../../kernel/read-body'
import { cancelRun } from '../../runs/cancel-run'
import { ChooseCostCap, chooseCostCap } from '../../runs/choose-cost-cap'
import { streamRunEvents } from '../../runs/journal/watch-run'
import { listRuns } from '../../runs/list-runs'
import { readRun } from '../../runs/read-run'
import { RunFields, RunFilter } from '../../runs/schemas'
import { startRun } from '../../runs/start-run'
import { AnyObject, endpoint, Page } from './endpoint'
import { runSummary } from './run-summary'

/** Strict: a misspelt `maxRounds` is an error, not five rounds. */
const NewRun = z.strictObject(RunFields.omit({ idempotencyKey: true }).shape)

const Cancellation = z.strictObject({
  reason: z.string().trim().max(500, 'A reason has at most 500 characters.').default(''),
})

const Started = z.object({ runId: z.string() })

export const runEndpoints = [
  endpoint(
    'GET',
    '/runs',
    {
      role: 'member',
      scope: 'runs:read',
      query: RunFilter,
      summary: 'Lists runs: all of them for admins, their own for members.',
      answers: { 200: z.object({ runs: z.array(AnyObject), ...Page }) },
    },
    async ({ ctx, query }) => {
      const { rows, total } = await listRuns(ctx, query)
      return Response.json({ runs: rows, total, page: query.page, pageSize: query.pageSize })
    },
  ),
  endpoint(
    'POST',
    '/runs',
    {
      role: 'member',
      scope: 'runs:write',
      body: NewRun,
      summary: 'Starts a run; with a known Idempotency-Key, returns the run that has it.',
      answers: { 200: Started, 202: Started },
      example: { configuration: 'demo', prompt: 'Which Node version does this server run on?' },
    },
    async ({ ctx, request, body }) => {
      const idempotencyKey = request.headers.get('idempotency-key')
      const { runId, created } = await startRun(ctx, { ...body, idempotencyKey })
      const headers = { location: `/api/v1/runs/${runId}` }
      return Response.json({ runId }, { status: created ? 202 : 200, headers })
    },
  ),
  endpoint(
    'GET',
    '/runs/{runId}',
    {
      role: 'member',
      scope: 'runs:read',
      summary: 'Returns the state of a run, its answer, and how each call ended.',
      answers: { 200: AnyObject },
    },
    async ({ ctx, params }) => Response.json(runSummary(await readRun(ctx, params.runId ?? ''))),
  ),
  endpoint(
    'POST',
    '/runs/{runId}/cancel',
    {
      role: 'member',
      scope: 'runs:write',
      summary: 'Cancels a run.',
      answers: {
        200: z.object({ status: z.literal('ended') }),
        202: z.object({ status: z.literal('cancelling') }),
      },
    },
    async ({ ctx, request, params }) => {
      const { reason } = parseInput(Cancellation, await readOptionalJsonBody(request))
      const { status } = await cancelRun(ctx, params.runId ?? '', reason)
      return Response.json({ status }, { status: status === 'ended' ? 200 : 202 })
    },
  ),
  endpoint(
    'PUT',
    '/runs/{runId}/cost-cap',
    {
      role: 'member',
      scope: 'runs:write',
      body: z.strictObject(ChooseCostCap.pick({ choice: true }).shape),
      summary: 'Chooses what the cost cap of a run does for the rest of it.',
      answers: { 200: z.object({ runId: z.string(), choice: z.string() }) },
    },
    async ({ ctx, params, body }) => {
      const runId = parseId(params.runId, 'This run')
      await chooseCostCap(ctx, { runId, ...body })
      return Response.json({ runId, choice: body.choice })
    },
  ),
  endpoint(
    'GET',
    '/runs/{runId}/events',
    {
      role: 'member',
      scope: 'runs:read',
      summary: 'Follows the journal of a run as server-sent events, live until the run ends.',
      answers: { 200: 'text/event-stream' },
    },
    ({ ctx, request, params: { runId = '' }, recheck }) =>
      streamRunEvents({ ctx, request, runId, recheck }),
  ),
]
