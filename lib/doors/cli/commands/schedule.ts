import type { Command } from 'commander'
import { blockedWords, schedules } from '@/lib/domains/schedules/shape'
import { leftOutTime, movedWords, timesWords } from '@/lib/domains/schedules/shared/cron'
import { firstWords } from '@/lib/words/clean-text'
import { command } from '../command'
import { cutLine, printLine, printTable } from '../print'
import { commandSpec, oneOf } from '../resource-commands'
import { readValues } from './task'

const example = `
  toolgate schedule add 'Morning report' --at '0 7 * * 1-5' --time-zone Europe/Berlin --configuration fast --prompt 'Write the report.'
  toolgate schedule add 'Plan of the week' --at '0 8 * * 1' --task review-plan --configuration fast --var plan='Move the database.'
  toolgate schedule run ID`

export const scheduleCommands = commandSpec(schedules, {
  example,
  words: {
    list: 'list the schedules, the next one first',
    show: 'show a schedule with its next and its last times',
    add: 'add a schedule; its runs have the rights of its person at that time',
    delete: 'delete a schedule; its runs stay',
  },
  columns: {
    TIMES: timesWords,
    RUNS: ({ task, configuration, prompt }) =>
      task?.name ?? (prompt === '' ? 'deleted' : (configuration?.name ?? 'deleted')),
    'RUN AS': ({ runAs }) => runAs.email,
    NEXT: ({ next, blocked }) => (blocked ? blockedWords[blocked.why] : (next[0] ?? 'never')),
  },
  readers: { variables: readValues },
  print: (schedule) => {
    printLine(`cron: ${schedule.cron}`)
    if (schedule.blocked) printLine(`starts nothing: ${schedule.blocked.reason}`)
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
  further: addFurther,
})

function addFurther(group: Command): void {
  command(group, 'run', {
    description: 'start its run or panel at once; a server works on it',
    args: oneOf(schedules),
    work: async ({ ctx, args: [nameOrId = ''] }) => {
      const { runScheduleNow } = await import('@/lib/runs/start/scheduled-runs')
      const started = await runScheduleNow(ctx, { id: nameOrId })
      return {
        json: started,
        text: `Started ${started.panelId === null ? `run ${started.runId}` : `panel ${started.panelId}`}.`,
      }
    },
  })
  addConsentCommands(group)
}

/** Adds what a person says about schedules of others that run as them. A yes is not given here: anybody may act for them. */
function addConsentCommands(group: Command): void {
  const verbs = () => import('@/lib/toolset/schedules/consent-verbs')
  const args = { '<id>': 'id of the schedule' }
  command(group, 'consents', {
    description: 'list the schedules of others that run as the account, or ask to',
    work: async ({ ctx }) => {
      const { consents } = await (await verbs()).listConsents(ctx, {})
      const rows = consents.map((each) => [
        each.scheduleId,
        each.state,
        each.name,
        timesWords(each),
        each.askedBy.join(', '),
        each.task?.name ?? cutLine(each.prompt),
        each.configurations.join(', '),
      ])
      const head = ['ID', 'CONSENT', 'NAME', 'TIMES', 'ASKED BY', 'STARTS', 'CONFIGURATIONS']
      return { json: consents, text: () => printTable(head, rows) }
    },
  })
  command(group, 'deny', {
    description: 'deny that a schedule of others runs as the account',
    args,
    work: async ({ ctx, args: [scheduleId = ''] }) => {
      const { answerConsent, listConsents } = await verbs()
      const { consents } = await listConsents(ctx, {})
      const { hash } = consents.find((each) => each.scheduleId === scheduleId) ?? { hash: '' }
      await answerConsent(ctx, { scheduleId, hash, decision: 'deny' })
      return { json: { scheduleId }, text: 'Denied. The schedule starts nothing.' }
    },
  })
  command(group, 'withdraw', {
    description: 'take the consent of the account back; active runs continue',
    args,
    work: async ({ ctx, args: [scheduleId = ''] }) => {
      await (await verbs()).withdrawConsent(ctx, { scheduleId })
      return { json: { scheduleId }, text: 'Withdrawn. The schedule starts nothing.' }
    },
  })
}
