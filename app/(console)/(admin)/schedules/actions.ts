'use server'
import { scheduleVerbs } from '@/lib/toolset/schedules/verbs'
import { action } from '@/lib/kernel/action'
import { runScheduleNow } from '@/lib/runs/scheduled-runs'

export const addSchedule = action(scheduleVerbs.create)
export const changeSchedule = action(scheduleVerbs.update)
export const removeSchedule = action(scheduleVerbs.remove)
export const runSchedule = action(runScheduleNow)
