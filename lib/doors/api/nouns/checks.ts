import { z } from 'zod'
import { CheckDetail } from '@/lib/domains/checks/schemas'
import { deleteCheck, listChecks, readCheck } from '@/lib/domains/checks/verbs'
import { created, serve } from '@/lib/doors/api/endpoint'
import { updateCheck } from '@/lib/joined-verbs'
import { exportChecks, importChecks } from '@/lib/runs/checks/carry-checks'
import {
  listCheckRuns,
  listSuiteRuns,
  listSuites,
  readCheckRun,
} from '@/lib/runs/checks/read-check-runs'
import { saveCheck } from '@/lib/runs/checks/save-check'
import { runCheck, runSuite, stopCheckRun } from '@/lib/runs/checks/start-check'

const Begun = z.object({ checkRunId: z.string() })

const beginning = {
  bodyIsOptional: true,
  isRepeatable: true,
  answers: { 200: Begun, 202: Begun },
  /** Answers with the address of a run of checks that began, now or with an earlier request. */
  answer: ({ output }: { output: { checkRunId: string; created: boolean } }) => {
    const { checkRunId, created: isNew } = output
    const headers = { location: `/api/v1/check-runs/${checkRunId}` }
    return Response.json({ checkRunId }, { status: isNew ? 202 : 200, headers })
  },
}

export const checkEndpoints = [
  serve('GET', '/checks', listChecks),
  serve('POST', '/runs/{runId}/check', saveCheck, {
    answers: { 201: CheckDetail },
    answer: ({ output }) => created(`/checks/${output.id}`, output),
  }),
  serve('GET', '/checks/{id}', readCheck),
  serve('PATCH', '/checks/{id}', updateCheck),
  serve('DELETE', '/checks/{id}', deleteCheck),
  serve('POST', '/checks/{id}/run', runCheck, beginning),
  serve('GET', '/checks/{id}/runs', listCheckRuns),
  serve('GET', '/check-file', exportChecks),
  serve('POST', '/check-file', importChecks),
  serve('GET', '/check-suites', listSuites),
  serve('POST', '/check-suites/{suite}/run', runSuite, beginning),
  serve('GET', '/check-suites/{suite}/runs', listSuiteRuns),
  serve('GET', '/check-runs/{id}', readCheckRun),
  serve('POST', '/check-runs/{id}/stop', stopCheckRun, { bodyIsOptional: true }),
]
