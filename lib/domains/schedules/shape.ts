import { z } from 'zod'
import { TaskValues } from '@/lib/domains/tasks/shared/task-form'
import { describedNouns } from '@/lib/protocol/nouns'
import { maxPromptCharacters } from '@/lib/shape/field-shape'
import { Name } from '@/lib/shape/identifier'
import { type ListingOf, resource, switchField } from '@/lib/shape/resource'
import { isTimeZone } from '@/lib/words/time-zone'
import { cronFault } from './shared/cron'
import { cronWords } from './shared/cron-words'

const missedChoices = [
  { value: 'skip', label: 'Skip it' },
  { value: 'once', label: 'Run once when a server is up again' },
] as const

const Cron = z
  .string()
  .trim()
  .max(200)
  .superRefine((cron, issues) => {
    const message = cronFault(cron)
    if (message !== null) issues.addIssue({ code: 'custom', message })
  })

/**
 * One time that has come. `panelId`: a task that is a panel began as one. Both null = nothing began, or it was deleted;
 * `refusal` "" = something began.
 */
const Start = z.object({
  at: z.string(),
  runId: z.string().nullable(),
  panelId: z.string().nullable(),
  refusal: z.string(),
})
export type ScheduleStart = z.output<typeof Start>

/**
 * Why a schedule starts nothing although it is on: because of who wrote it, because its person has not agreed, or because the account
 * of one of them is suspended.
 */
export const Blocked = z.object({
  why: z.enum(['author', 'consent', 'suspended']),
  reason: z.string(),
})
export type Blocked = z.output<typeof Blocked>

/** Labels in lists for a schedule that is on and starts nothing. */
export const blockedWords = {
  author: 'Stopped',
  consent: 'Waiting for consent',
  suspended: 'Waiting for a suspended account',
} as const satisfies Record<Blocked['why'], string>

/** A schedule starts a task, or a prompt with a configuration. */
const Together = z
  .object({
    taskId: z.string().nullable(),
    variables: TaskValues,
    prompt: z.string(),
    configurationId: z.string().nullable(),
  })
  .superRefine(({ taskId, variables, prompt, configurationId }, issues) => {
    const refuse = (field: string, message: string) =>
      issues.addIssue({ code: 'custom', path: [field], message })
    if (taskId !== null) {
      if (prompt !== '') refuse('prompt', 'A task has its own prompt. Leave the prompt out.')
      return
    }
    if (prompt.trim() === '') refuse('prompt', 'Enter a prompt, or pick a task.')
    if (configurationId === null) refuse('configurationId', 'Pick a configuration.')
    if (Object.keys(variables).length > 0)
      refuse('variables', 'Only tasks have variables. Leave this out.')
  })

/** A schedule: a prompt or a task that runs at set times, with the rights that its person has then. */
export const schedules = resource({
  ...describedNouns.schedules,
  about: 'runs and panels that start at set times',
  together: Together,
  fields: {
    name: { kind: 'text', label: 'Name', schema: Name },
    cron: {
      kind: 'text',
      label: 'Times',
      hint: 'A cron expression: minute, hour, day of the month, month, day of the week. "0 7 * * 1-5" is 7:00 on weekdays, "*/15 * * * *" every 15 minutes.',
      mono: true,
      schema: Cron,
      textOf: (cron) => cronText(String(cron ?? '')),
      option: {
        name: 'at',
        value: 'cron',
        help: 'minute, hour, day of the month, month, day of the week: "0 7 * * 1-5"',
      },
    },
    timeZone: {
      kind: 'text',
      label: 'Time zone',
      hint: 'Such as Europe/Berlin or UTC. A time that the change to summer time leaves out comes right after the change.',
      schema: z
        .string()
        .trim()
        .max(100)
        .refine(isTimeZone, 'There is no such time zone. Give a name such as Europe/Berlin.'),
      defaultValue: 'UTC',
      option: { value: 'name', help: 'such as Europe/Berlin; a new one has UTC' },
    },
    taskId: {
      kind: 'reference',
      to: 'task',
      as: 'task',
      label: 'Task',
      hint: 'What it runs: a task, also one that is a panel, or a prompt of its own.',
      none: 'a prompt of its own',
      schema: z.uuid('Pick a task.').nullable(),
      defaultValue: null,
      option: { help: 'the task that it runs (identifier or id)', none: 'it has its own prompt' },
    },
    variables: {
      kind: 'own',
      label: 'Values',
      schema: TaskValues,
      defaultValue: {},
      option: {
        name: 'var',
        value: 'name=value',
        help: 'values of the variables of its task',
        isMany: true,
      },
      textOf: (values) => valuesText(TaskValues.parse(values ?? {})),
    },
    configurationId: {
      kind: 'reference',
      to: 'configuration',
      as: 'configuration',
      label: 'Configuration',
      placeholder: 'Pick a configuration',
      none: 'that of the task',
      schema: z.uuid('Pick a configuration.').nullable(),
      defaultValue: null,
      option: { help: 'what it runs with (identifier or id)', none: 'that of the task' },
    },
    prompt: {
      kind: 'textarea',
      label: 'Prompt',
      rows: 6,
      schema: z
        .string()
        .max(maxPromptCharacters, 'The prompt is longer than 200,000 characters. Shorten it.'),
      defaultValue: '',
      option: { help: 'what it asks' },
    },
    userId: {
      kind: 'reference',
      to: 'user',
      as: 'runAs',
      label: 'Run as',
      hint: 'Anybody but you is asked under Approvals first.',
      schema: z.uuid('Pick a person.'),
      isCallerByDefault: true,
      option: { help: 'whose rights its runs have; a new one has yours' },
    },
    missed: {
      kind: 'select',
      label: 'A time at which no server is up',
      choices: missedChoices,
      schema: z.enum(['skip', 'once']),
      defaultValue: 'skip',
      option: { value: 'rule', help: 'what happens to a time at which no server is up' },
    },
    enabled: switchField('It starts no run until it is switched on again. Active runs continue.'),
  },
  sorts: ['name', 'next', 'state'],
  order: 'next',
  /** `next`: the next five times; none while it is off. `blocked`: why it starts nothing at them; null = it does. */
  listed: {
    next: z.array(z.string()),
    lastStart: Start.nullable(),
    blocked: Blocked.nullable(),
  },
  /** The last 20 times, the newest first. */
  detail: { starts: z.array(Start) },
  acts: {
    run: 'Started its run',
    approve: 'Agreed that it runs as them',
    deny: 'Denied that it runs as them',
    'withdraw-consent': 'Withdrew their consent',
  },
})

export type Schedule = ListingOf<typeof schedules>

function valuesText(values: TaskValues): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** Returns an expression as people read it: "At 08:00, Monday through Friday (0 8 * * 1-5)". */
function cronText(cron: string): string {
  const words = cron === '' ? null : cronWords(cron)
  return words === null ? cron : `${words} (${cron})`
}
