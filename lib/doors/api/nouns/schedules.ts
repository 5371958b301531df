import { created, serve } from '@/lib/doors/api/endpoint'
import { runScheduleNow } from '@/lib/runs/start/scheduled-runs'
import { answerConsent, listConsents, withdrawConsent } from '@/lib/toolset/schedules/consent-verbs'
import { Begun, pathOfBegun } from './tasks'

export const scheduleEndpoints = [
  serve('POST', '/schedules/{id}/run', runScheduleNow, {
    answers: { 201: Begun },
    answer: ({ output }) => created(pathOfBegun(output), output),
  }),
  serve('GET', '/consents', listConsents),
  serve('POST', '/consents/{scheduleId}', answerConsent),
  serve('DELETE', '/consents/{scheduleId}', withdrawConsent),
]
