import { schedules } from '../../domains/schedules/shape'
import { scheduleVerbs } from '../../domains/schedules/verbs'
import { runScheduleNow } from '../../runs/scheduled-runs'
import { created, serve } from './endpoint'
import { resourceEndpoints } from './resource-endpoints'
import { Begun, pathOfBegun } from './tasks'

export const scheduleEndpoints = [
  ...resourceEndpoints(schedules, scheduleVerbs),
  serve('POST', '/schedules/{id}/run', runScheduleNow, {
    answers: { 201: Begun },
    answer: ({ output }) => created(pathOfBegun(output), output),
  }),
]
