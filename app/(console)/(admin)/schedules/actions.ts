'use server'
import { createSchedule, deleteSchedule, updateSchedule } from '@/lib/domains/schedules/verbs'
import { action } from '@/lib/kernel/action'
import { runScheduleNow } from '@/lib/runs/scheduled-runs'

export const addSchedule = action(createSchedule)
export const changeSchedule = action(updateSchedule)
export const removeSchedule = action(deleteSchedule)
export const runSchedule = action(runScheduleNow)
