import { z } from 'zod'
import { CheckDetail } from '@/lib/domains/checks/schemas'
import { deleteCheck, listChecks, readCheck } from '@/lib/domains/checks/verbs'
import { created, serve } from '@/lib/doors/api/endpoint'
import { updateCheck } from '@/lib/joined-verbs'
import { listCheckRuns, readCheckRun } from '@/lib/runs/checks/read-check-runs'
import { saveCheck } from '@/lib/runs/checks/save-check'
import { runCheck, stopCheckRun } from '@/lib/runs/checks/start-check'

export const checkEndpoints = [
  serve('GET', '/checks', listChecks),
  serve('POST', '/runs/{runId}/check', saveCheck, {
    answers: { 201: CheckDetail },
    answer: ({ output }) => created(`/checks/${output.id}`, output),
  }),
  serve('GET', '/checks/{id}', readCheck),
  serve('PATCH', '/checks/{id}', updateCheck),
  serve('DELETE', '/checks/{id}', deleteCheck),
  serve('POST', '/checks/{id}/run', runCheck, {
    bodyIsOptional: true,
    answers: { 202: z.object({ checkRunId: z.string() }) },
    answer: ({ output: { checkRunId } }) =>
      Response.json(
        { checkRunId },
        { status: 202, headers: { location: `/api/v1/check-runs/${checkRunId}` } },
      ),
  }),
  serve('GET', '/checks/{id}/runs', listCheckRuns),
  serve('GET', '/check-runs/{id}', readCheckRun),
  serve('POST', '/check-runs/{id}/stop', stopCheckRun, { bodyIsOptional: true }),
]
