import { schedules } from '../../domains/schedules/shape'
import { runScheduleNow } from '../../runs/scheduled-runs'
import { answerConsent, listConsents, withdrawConsent } from '../../toolset/schedules/consent-verbs'
import { scheduleVerbs } from '../../toolset/schedules/verbs'
import { created, serve } from './endpoint'
import { resourceEndpoints } from './resource-endpoints'
import { Begun, pathOfBegun } from './tasks'

export const scheduleEndpoints = [
  ...resourceEndpoints(schedules, scheduleVerbs),
  serve('POST', '/schedules/{id}/run', runScheduleNow, {
    answers: { 201: Begun },
    answer: ({ output }) => created(pathOfBegun(output), output),
  }),
  serve('GET', '/consents', listConsents),
  serve('POST', '/consents/{scheduleId}', answerConsent),
  serve('DELETE', '/consents/{scheduleId}', withdrawConsent),
]
