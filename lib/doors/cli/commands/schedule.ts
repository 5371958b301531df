import type { Command } from 'commander'
import { schedules } from '@/lib/domains/schedules/shape'
import { firstWords } from '@/lib/protocol/clean-text'
import { leftOutTime, movedWords, timesWords } from '@/lib/protocol/cron'
import { command } from '../command'
import { printLine } from '../print'
import { oneOf, resourceCommands } from '../resource-commands'
import { readValues } from './task'

const example = `
  toolgate schedule add 'Morning report' --at '0 7 * * 1-5' --time-zone Europe/Berlin --configuration fast --prompt 'Write the report.'
  toolgate schedule add 'Plan of the week' --at '0 8 * * 1' --task review-plan --configuration fast --var plan='Move the database.'
  toolgate schedule run ID`

export function addScheduleCommands(program: Command): void {
  const group = resourceCommands(program, schedules, {
    description: 'runs and panels that start at set times',
    example,
    load: async () => (await import('@/lib/domains/schedules/verbs')).scheduleVerbs,
    words: {
      list: 'list the schedules, the next one first',
      show: 'show a schedule with its next and its last times',
      add: 'add a schedule; its runs have the rights of its person at that time',
      edit: 'change a schedule; options you leave out keep their value',
      delete: 'delete a schedule; its runs stay',
    },
    columns: {
      TIMES: timesWords,
      RUNS: ({ task, configuration, prompt }) =>
        task?.name ?? (prompt === '' ? 'deleted' : (configuration?.name ?? 'deleted')),
      'RUN AS': ({ runAs }) => runAs.email,
      NEXT: ({ next }) => next[0] ?? 'never',
    },
    readers: { variables: readValues },
    print: (schedule) => {
      printLine(`cron: ${schedule.cron}`)
      if (schedule.task)
        printLine(`configuration: ${schedule.configuration?.name ?? 'that of the task'}`)
      for (const [name, value] of Object.entries(schedule.variables))
        printLine(`${name}: ${firstWords(String(value))}`)
      for (const at of schedule.next) {
        printLine(`next: ${at}${movedWords(leftOutTime(schedule, new Date(at)))}`)
      }
      for (const { at, runId, panelId, refusal } of schedule.starts) {
        const what = panelId === null ? `run ${runId ?? '(deleted)'}` : `panel ${panelId}`
        printLine(`${at}: ${refusal || what}`)
      }
    },
  })
  command(group, 'run', {
    description: 'start its run or panel at once; a server works on it',
    args: oneOf(schedules),
    work: async ({ ctx, args: [asked = ''] }) => {
      const { runScheduleNow } = await import('@/lib/runs/scheduled-runs')
      const started = await runScheduleNow(ctx, { id: asked })
      return {
        json: started,
        text: `Started ${started.panelId === null ? `run ${started.runId}` : `panel ${started.panelId}`}.`,
      }
    },
  })
}
