import { schedules } from '@/lib/domains/schedules/shape'
import { created, serve } from '@/lib/doors/api/endpoint'
import { resourceEndpoints } from '@/lib/doors/api/resource-endpoints'
import { runScheduleNow } from '@/lib/runs/start/scheduled-runs'
import { answerConsent, listConsents, withdrawConsent } from '@/lib/toolset/schedules/consent-verbs'
import { scheduleVerbs } from '@/lib/toolset/schedules/verbs'
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
