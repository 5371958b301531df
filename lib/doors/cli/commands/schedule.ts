import { type Command, Option } from 'commander'
import type { ScheduleDetail, ScheduleListing } from '@/lib/domains/schedules/schemas'
import type { Ctx } from '@/lib/kernel/context'
import { command } from '../command'
import { printLine, printTable } from '../print'

const example = `
  toolgate schedule add 'Morning report' --at '0 7 * * 1-5' --time-zone Europe/Berlin --configuration fast --prompt 'Write the report.'
  toolgate schedule run ID`

const reads = () => import('@/lib/domains/schedules/reads')
const verbs = () => import('@/lib/domains/schedules/verbs')

type Options = {
  name?: string
  at?: string
  timeZone?: string
  configuration?: string
  prompt?: string
  runAs?: string
  missed?: 'skip' | 'once'
}

const id = { '<id>': 'id of the schedule' }

export function addScheduleCommands(program: Command): void {
  const schedule = program
    .command('schedule')
    .description('runs that start at set times')
    .addHelpText('after', example)
  command(schedule, 'list', {
    description: 'list the schedules, the next one first',
    work: async ({ ctx }) => {
      const { schedules } = await (await reads()).listSchedules(ctx, { sort: 'next' })
      return { json: schedules, text: () => printSchedules(schedules) }
    },
  })
  command(schedule, 'show', {
    description: 'show a schedule with its next and its last times',
    args: id,
    work: async ({ ctx, args: [asked = ''] }) => {
      const found = await (await reads()).findSchedule(ctx, { id: asked })
      return { json: found, text: () => printSchedule(found) }
    },
  })
  command<Options & { at: string; configuration: string; prompt: string; disabled?: boolean }>(
    schedule,
    'add',
    {
      description: 'add a schedule; its runs have the rights of its person at that time',
      args: { '<name>': 'its name' },
      reason: true,
      options: (made) => withFields(made, true).option('--disabled', 'add it switched off'),
      work: async ({ ctx, args: [name = ''], options }) => {
        const { at, prompt, disabled, reason } = options
        const { configurationId = '', userId } = await namedBy(ctx, options)
        const added = await (await verbs()).createSchedule(ctx, {
          ...{ ...fieldsOf(options), configurationId, userId },
          ...{ name, cron: at, prompt, enabled: !disabled, reason },
        })
        return {
          json: await (await reads()).findSchedule(ctx, added),
          text: `Added ${name} (${added.id}).`,
        }
      },
    },
  )
  command<Options>(schedule, 'edit', {
    description: 'change a schedule; options you leave out keep their value',
    args: id,
    reason: true,
    options: (made) => withFields(made, false).option('--name <name>', 'its new name'),
    work: async ({ ctx, args: [asked = ''], options }) => {
      const change = { ...fieldsOf(options), ...(await namedBy(ctx, options)) }
      const { reason } = options
      await (await verbs()).updateSchedule(ctx, { id: asked, ...change, reason })
      const after = await (await reads()).findSchedule(ctx, { id: asked })
      return { json: after, text: () => printSchedule(after) }
    },
  })
  for (const [name, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    const state = enabled ? 'on' : 'off'
    command(schedule, name, {
      description: `switch a schedule ${state}`,
      args: id,
      reason: true,
      work: async ({ ctx, args: [asked = ''], options: { reason } }) => {
        await (await verbs()).updateSchedule(ctx, { id: asked, enabled, reason })
        return { json: { id: asked, enabled }, text: `The schedule is ${state}.` }
      },
    })
  }
  command(schedule, 'run', {
    description: 'start its run at once; a server works on it',
    args: id,
    work: async ({ ctx, args: [asked = ''] }) => {
      const { runScheduleNow } = await import('@/lib/runs/scheduled-runs')
      const started = await runScheduleNow(ctx, { id: asked })
      return { json: started, text: `Started run ${started.runId}.` }
    },
  })
  command(schedule, 'delete', {
    alias: 'remove',
    description: 'delete a schedule; its runs stay',
    args: id,
    reason: true,
    work: async ({ ctx, args: [asked = ''], options: { reason } }) => {
      await (await verbs()).deleteSchedule(ctx, { id: asked, reason })
      return { json: { id: asked, removed: true }, text: 'Deleted the schedule.' }
    },
  })
}

function withFields(made: Command, isNew: boolean): Command {
  const option = (flags: string, help: string) =>
    isNew ? made.requiredOption(flags, help) : made.option(flags, help)
  option('--at <cron>', 'minute, hour, day of the month, month, day of the week: "0 7 * * 1-5"')
  option('--configuration <name>', 'what it runs with (identifier or id)')
  option('--prompt <text>', 'what it asks')
  return made
    .option('--time-zone <name>', 'such as Europe/Berlin; a new one has UTC')
    .option('--run-as <email>', 'whose rights its runs have; a new one has yours')
    .addOption(
      new Option('--missed <rule>', 'what happens to a time at which no server is up').choices([
        'skip',
        'once',
      ]),
    )
}

function fieldsOf({ name, at, timeZone, prompt, missed }: Options) {
  return {
    ...(name !== undefined && { name }),
    ...(at !== undefined && { cron: at }),
    ...(timeZone !== undefined && { timeZone }),
    ...(prompt !== undefined && { prompt }),
    ...(missed !== undefined && { missed }),
  }
}

/** Returns the ids of what the options name. */
async function namedBy(ctx: Ctx, { configuration, runAs }: Options) {
  const { findConfiguration } = await import('@/lib/domains/configurations/reads')
  const { findUser } = await import('@/lib/domains/users/reads')
  return {
    ...(configuration !== undefined && {
      configurationId: (await findConfiguration(ctx, configuration)).id,
    }),
    ...(runAs !== undefined && { userId: (await findUser(ctx, runAs)).id }),
  }
}

function printSchedules(schedules: ScheduleListing[]): void {
  printTable(
    ['ID', 'NAME', 'STATE', 'TIMES', 'TIME ZONE', 'CONFIGURATION', 'RUN AS', 'NEXT'],
    schedules.map(({ id: each, name, enabled, cron, timeZone, configuration, runAs, next }) => [
      ...[each, name, enabled ? 'on' : 'off', cron, timeZone],
      ...[configuration?.name ?? 'deleted', runAs.email, next[0] ?? 'never'],
    ]),
  )
}

async function printSchedule(schedule: ScheduleDetail): Promise<void> {
  const { leftOutTime, movedWords } = await import('@/lib/protocol/cron')
  printSchedules([schedule])
  for (const at of schedule.next) {
    const leftOut = leftOutTime(schedule.cron, schedule.timeZone, new Date(at))
    printLine(`next: ${at}${movedWords(leftOut)}`)
  }
  for (const { at, runId, refusal } of schedule.starts) {
    printLine(`${at}: ${refusal || `run ${runId ?? '(deleted)'}`}`)
  }
}
