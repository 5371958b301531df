import { z } from 'zod'
import { schedules } from '../../domains/schedules/shape'
import { scheduleVerbs } from '../../domains/schedules/verbs'
import { runScheduleNow } from '../../runs/scheduled-runs'
import { created, serve } from './endpoint'
import { resourceEndpoints } from './resource-endpoints'

export const scheduleEndpoints = [
  ...resourceEndpoints(schedules, scheduleVerbs),
  serve('POST', '/schedules/{id}/run', runScheduleNow, {
    answers: { 201: z.object({ runId: z.string() }) },
    answer: ({ output: { runId } }) => created(`/runs/${runId}`, { runId }),
  }),
]
