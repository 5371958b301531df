'use server'
import { runScheduleNow } from '@toolgate/server/runs/start/scheduled-runs'
import * as consent from '@toolgate/server/toolset/schedules/consent-verbs'
import { scheduleVerbs } from '@toolgate/server/toolset/schedules/verbs'
import { action } from '@/lib/next/action'

export const addSchedule = action(scheduleVerbs.create)
export const changeSchedule = action(scheduleVerbs.update)
export const removeSchedule = action(scheduleVerbs.remove)
export const runSchedule = action(runScheduleNow)
export const withdrawConsent = action(consent.withdrawConsent)
