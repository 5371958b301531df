import { z } from 'zod'
import { findSchedule, listSchedules } from '../../domains/schedules/reads'
import { ScheduleDetail, ScheduleListing } from '../../domains/schedules/schemas'
import { createSchedule, deleteSchedule, updateSchedule } from '../../domains/schedules/verbs'
import { runScheduleNow } from '../../runs/scheduled-runs'
import { created, serve } from './endpoint'

const One = z.object({ schedule: ScheduleDetail })

export const scheduleEndpoints = [
  serve('GET', '/schedules', listSchedules, {
    answers: {
      200: z.object({ schedules: z.array(ScheduleListing), total: z.number(), whole: z.number() }),
    },
    answer: ({ output: { schedules, whole } }) =>
      Response.json({ schedules, total: schedules.length, whole }),
  }),
  serve('POST', '/schedules', createSchedule, {
    answers: { 201: One },
    answer: async ({ ctx, output: { id } }) =>
      created(`/schedules/${id}`, { schedule: await findSchedule(ctx, { id }) }),
  }),
  serve('GET', '/schedules/{id}', findSchedule, {
    answers: { 200: One },
    answer: ({ output }) => Response.json({ schedule: output }),
  }),
  serve('PATCH', '/schedules/{id}', updateSchedule, {
    answers: { 200: One },
    answer: async ({ ctx, params: { id = '' } }) =>
      Response.json({ schedule: await findSchedule(ctx, { id }) }),
  }),
  serve('POST', '/schedules/{id}/run', runScheduleNow, {
    answers: { 201: z.object({ runId: z.string() }) },
    answer: ({ output: { runId } }) => created(`/runs/${runId}`, { runId }),
  }),
  serve('DELETE', '/schedules/{id}', deleteSchedule),
]
