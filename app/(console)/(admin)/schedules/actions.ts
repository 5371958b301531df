'use server'
import { runScheduleNow } from '@toolgate/server/runs/start/scheduled-runs'
import * as consent from '@toolgate/server/toolset/schedules/consent-verbs'
import { action } from '@/lib/next/action'

export const runSchedule = action(runScheduleNow)
export const withdrawConsent = action(consent.withdrawConsent)
