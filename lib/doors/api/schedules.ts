import { z } from 'zod'
import { WithReason } from '../../domains/audit/audit-reason'
import { findConfiguration } from '../../domains/configurations/reads'
import { findSchedule, listSchedules } from '../../domains/schedules/reads'
import {
  CreateSchedule,
  ScheduleDetail,
  ScheduleListing,
  UpdateSchedule,
} from '../../domains/schedules/schemas'
import { createSchedule, deleteSchedule, updateSchedule } from '../../domains/schedules/verbs'
import { runScheduleNow } from '../../runs/scheduled-runs'
import { created, type Given, serve, withParams } from './endpoint'

const One = z.object({ schedule: ScheduleDetail })

/** A configuration by its identifier or id, as `POST /runs` takes it. `configurationId` takes the id alone. */
const Named = z.object({ configuration: z.string().max(100).optional() })
const body = {
  create: CreateSchedule.extend(CreateSchedule.pick({ configurationId: true }).partial().shape)
    .extend(Named.shape)
    .extend(WithReason.shape),
  change: UpdateSchedule.extend(Named.shape).extend(WithReason.shape),
}

/** Returns the input of a verb with the id of the configuration that a body names. A body with both is refused by it. */
async function withConfigurationId({ ctx, given, params }: Given): Promise<unknown> {
  const { data } = z.looseObject(Named.shape).safeParse(given)
  if (data?.configuration === undefined || 'configurationId' in data)
    return withParams(given, params)
  const { configuration, ...rest } = data
  const { id } = await findConfiguration(ctx, configuration)
  return withParams({ ...rest, configurationId: id }, params)
}

export const scheduleEndpoints = [
  serve('GET', '/schedules', listSchedules, {
    answers: {
      200: z.object({ schedules: z.array(ScheduleListing), total: z.number(), whole: z.number() }),
    },
    answer: ({ output: { schedules, whole } }) =>
      Response.json({ schedules, total: schedules.length, whole }),
  }),
  serve('POST', '/schedules', createSchedule, {
    body: body.create,
    input: withConfigurationId,
    answers: { 201: One },
    answer: async ({ ctx, output: { id } }) =>
      created(`/schedules/${id}`, { schedule: await findSchedule(ctx, { id }) }),
  }),
  serve('GET', '/schedules/{id}', findSchedule, {
    answers: { 200: One },
    answer: ({ output }) => Response.json({ schedule: output }),
  }),
  serve('PATCH', '/schedules/{id}', updateSchedule, {
    body: body.change,
    input: withConfigurationId,
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
