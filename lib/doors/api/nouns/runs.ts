import { z } from 'zod'
import { endpoint, factsOf, Page, serve } from '@/lib/doors/api/endpoint'
import { RunSummary, runSummary } from '@/lib/doors/api/run-summary'
import { RunComparison } from '@/lib/protocol/run/compare-runs'
import {
  archiveConversation,
  deleteConversation,
  listConversations,
  renameConversation,
} from '@/lib/runs/conversations/conversations'
import { dryRun } from '@/lib/runs/dry-run/dry-run'
import { ForkFields, forkRun } from '@/lib/runs/fork/fork-run'
import { streamRunEvents } from '@/lib/runs/journal/watch-run'
import { readComparison } from '@/lib/runs/lists/compare'
import { listRuns } from '@/lib/runs/lists/list-runs'
import {
  createRunView,
  deleteRunView,
  listRunViews,
  shareRunView,
  updateRunView,
} from '@/lib/runs/lists/run-views'
import { RunView } from '@/lib/runs/lists/view-schemas'
import { markRun } from '@/lib/runs/mark-run'
import { readRun } from '@/lib/runs/read-run'
import { RunReplay, readReplay } from '@/lib/runs/replay/read-replay'
import { RunFields, RunRow } from '@/lib/runs/schemas'
import { startRun } from '@/lib/runs/start/start-run'
import { cancelRun, chooseCostCap } from '@/lib/runs/verbs'
import { panelEndpoints } from './panels'

/** Strict: a misspelt `maxRounds` is an error, not five rounds. */
const NewRun = z.strictObject(RunFields.omit({ idempotencyKey: true }).shape)

/** `after`: the id of the last event that the client has, as in `Last-Event-ID`. */
const Following = z.object({ after: z.string().optional() })

const Started = z.object({ runId: z.string() })

/** `before` and `after`: the ids of the two runs. */
const Compared = RunComparison.extend({ before: z.string(), after: z.string() })

/** `capped`: more runs match than `total`. `nextCursor` = the `cursor` of the next page. */
const Cursor = { capped: z.boolean(), nextCursor: z.string().nullable() }

function startedAnswer({ runId, created: isNew }: { runId: string; created: boolean }): Response {
  const headers = { location: `/api/v1/runs/${runId}` }
  return Response.json({ runId }, { status: isNew ? 202 : 200, headers })
}

export const runEndpoints = [
  serve('GET', '/run-views', listRunViews),
  serve('POST', '/run-views', createRunView, {
    answers: { 201: RunView },
    answer: ({ output }) => Response.json(output, { status: 201 }),
  }),
  serve('PATCH', '/run-views/{id}', updateRunView),
  serve('DELETE', '/run-views/{id}', deleteRunView),
  serve('PUT', '/run-views/{id}/sharing', shareRunView),
  ...panelEndpoints,
  serve('GET', '/conversations', listConversations),
  serve('PATCH', '/conversations/{id}', renameConversation),
  serve('PUT', '/conversations/{id}/archive', archiveConversation),
  serve('DELETE', '/conversations/{id}', deleteConversation),
  serve('GET', '/runs', listRuns, {
    answers: { 200: z.object({ runs: z.array(RunRow), ...Page, ...Cursor }) },
    answer: ({ output: { rows, ...page } }) => Response.json({ runs: rows, ...page }),
  }),
  endpoint(
    'POST',
    '/runs',
    {
      ...factsOf(startRun),
      takesHeader: 'idempotency-key',
      body: NewRun,
      answers: { 200: Started, 202: Started },
      example: { configuration: 'demo', prompt: 'Which Node version does this server run on?' },
    },
    async ({ ctx, request, body }) => {
      const idempotencyKey = request.headers.get('idempotency-key')
      return startedAnswer(await startRun(ctx, { ...body, idempotencyKey }))
    },
  ),
  serve('POST', '/runs/dry-run', dryRun),
  endpoint(
    'GET',
    '/runs/{runId}',
    {
      role: 'member',
      scope: 'runs:read',
      summary: 'Returns the state of a run, its answer, and how each call ended.',
      answers: { 200: RunSummary },
    },
    async ({ ctx, params }) =>
      Response.json(runSummary(await readRun(ctx, params.runId ?? ''), ctx.actor.role)),
  ),
  endpoint(
    'GET',
    '/runs/{runId}/compare/{other}',
    {
      role: 'member',
      scope: 'runs:read',
      summary: 'Returns how a run differs from another one, which is the one before.',
      answers: { 200: Compared },
    },
    async ({ ctx, params: { runId = '', other = '' } }) =>
      Response.json(await readComparison(ctx, runId, other)),
  ),
  endpoint(
    'POST',
    '/runs/{runId}/replay',
    {
      role: 'member',
      scope: 'runs:read',
      moreScopes: ['tools:read'],
      summary:
        'Returns what the policy of today would have done in a run that ended. Nothing is called or stored.',
      answers: { 200: RunReplay },
    },
    async ({ ctx, params: { runId = '' } }) => Response.json(await readReplay(ctx, runId)),
  ),
  endpoint(
    'POST',
    '/runs/{runId}/fork',
    {
      ...factsOf(forkRun),
      moreScopes: ['runs:read'],
      takesHeader: 'idempotency-key',
      body: ForkFields.omit({ runId: true, idempotencyKey: true }),
      answers: { 200: Started, 202: Started },
      example: { round: 1, edit: { type: 'prompt', text: 'Answer in one line.' } },
    },
    async ({ ctx, request, body, params: { runId = '' } }) => {
      const idempotencyKey = request.headers.get('idempotency-key')
      return startedAnswer(await forkRun(ctx, { ...body, runId, idempotencyKey }))
    },
  ),
  serve('PATCH', '/runs/{runId}', markRun),
  serve('POST', '/runs/{runId}/cancel', cancelRun, {
    bodyIsOptional: true,
    answers: {
      200: z.object({ status: z.literal('ended') }),
      202: z.object({ status: z.literal('cancelling') }),
    },
    answer: ({ output }) =>
      Response.json(output, { status: output.status === 'ended' ? 200 : 202 }),
  }),
  serve('PUT', '/runs/{runId}/cost-cap', chooseCostCap),
  endpoint(
    'GET',
    '/runs/{runId}/events',
    {
      role: 'member',
      scope: 'runs:read',
      summary: 'Follows the journal of a run as server-sent events, live until the run ends.',
      query: Following,
      answers: { 200: 'text/event-stream' },
    },
    ({ ctx, request, params: { runId = '' }, recheck }) =>
      streamRunEvents({ ctx, request, runId, recheck }),
  ),
]
