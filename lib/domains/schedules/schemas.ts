import { z } from 'zod'
import { sortOrder } from '../../kernel/lenient-query'
import { cronFault, isTimeZone } from '../../protocol/cron'
import { Name } from '../../protocol/identifier'
import { maxPromptCharacters } from '../../protocol/task-values'

const Missed = z.enum(['skip', 'once'])

const Cron = z
  .string()
  .trim()
  .max(200)
  .superRefine((cron, issues) => {
    const message = cronFault(cron)
    if (message !== null) issues.addIssue({ code: 'custom', message })
  })

const fields = {
  name: Name,
  cron: Cron,
  timeZone: z
    .string()
    .trim()
    .max(100)
    .refine(isTimeZone, 'There is no such time zone. Give a name such as Europe/Berlin.'),
  configurationId: z.uuid('Pick a configuration.'),
  prompt: z
    .string()
    .max(maxPromptCharacters, 'The prompt is longer than 200,000 characters. Shorten it.')
    .refine((text) => text.trim() !== '', 'Enter a prompt.'),
  /** Whose rights the runs have. */
  userId: z.uuid('Pick a person.'),
  missed: Missed,
  enabled: z.boolean(),
}

/** `userId` left out = who adds it. */
export const CreateSchedule = z.object({
  ...fields,
  timeZone: fields.timeZone.default('UTC'),
  userId: fields.userId.optional(),
  missed: Missed.default('skip'),
  enabled: z.boolean().default(true),
})
export type CreateSchedule = z.input<typeof CreateSchedule>

/** Fields that are left out stay. */
export const UpdateSchedule = z.object(fields).partial().extend({ id: z.string() })

const sortKeys = ['name', 'next', 'state'] as const
export type ScheduleSortKey = (typeof sortKeys)[number]
export const defaultScheduleSort = 'next' as const
export const ScheduleFilter = z.object({
  search: z.string().trim().max(200).optional(),
  state: z.enum(['on', 'off']).optional(),
  page: z.coerce.number().int().min(1).max(100).default(1),
  sort: sortOrder(sortKeys, defaultScheduleSort),
})

/** One time that has come. `runId` null = no run began, or it was deleted; `refusal` "" = one began. */
const Start = z.object({ at: z.string(), runId: z.string().nullable(), refusal: z.string() })

/** A schedule as lists show it. Times are ISO text in UTC. `next`: the next five times; none while it is off. */
export const ScheduleListing = z.object({
  id: z.string(),
  name: z.string(),
  cron: z.string(),
  timeZone: z.string(),
  configuration: z.object({ id: z.string(), name: z.string() }).nullable(),
  prompt: z.string(),
  runAs: z.object({ id: z.string(), email: z.string() }),
  missed: Missed,
  enabled: z.boolean(),
  next: z.array(z.string()),
  lastStart: Start.nullable(),
  createdByLabel: z.string(),
  updatedAt: z.string(),
})
export type ScheduleListing = z.output<typeof ScheduleListing>

/** With its last 20 times, the newest first. */
export const ScheduleDetail = ScheduleListing.extend({ starts: z.array(Start) })
export type ScheduleDetail = z.output<typeof ScheduleDetail>
