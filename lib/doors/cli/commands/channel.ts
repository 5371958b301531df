import type { Command } from 'commander'
import { channels, type MessageOutcome, type RunMessageOutcome } from '@/lib/domains/channels/shape'
import { factText } from '@/lib/shape/field-codec'
import { command } from '../command'
import { exitCodes } from '../exit-codes'
import { printLine } from '../print'
import { commandSpec, oneOf } from '../resource-commands'

const example = `
  toolgate channel add 'Night watch' --kind slack --budget-alerts yes --address-stdin < address.txt
  toolgate channel test ID`

export const channelCommands = commandSpec(channels, {
  example,
  words: {
    show: 'show a channel with its last messages',
    add: 'add a channel; what is secret of it comes from standard input',
    delete: 'delete a channel with its secrets',
  },
  columns: {
    KIND: ({ kind }) => factText(channels.fields.kind, kind),
    'LEADS TO': ({ leadsTo }) => leadsTo,
    ALERTS: ({ budgetAlerts }) => (budgetAlerts ? 'yes' : 'no'),
    'LAST ALERT': ({ lastAlert }) => (lastAlert ? outcomeText(lastAlert) : 'none yet'),
    CALLS: ({ approvalAlerts }) => (approvalAlerts ? 'yes' : 'no'),
    RUNS: ({ runMessages }) => (runMessages ? 'yes' : 'no'),
    'LAST CALL': ({ lastNotice }) => (lastNotice ? outcomeText(lastNotice) : 'none yet'),
  },
  print: ({ alerts, notices, messages }) => {
    for (const alert of alerts) {
      const { at, title, percent } = alert
      printLine(`${at}: ${title} passed ${percent} %: ${outcomeText(alert)}`)
    }
    for (const notice of notices) {
      const { at, toolName, kind, runId } = notice
      const what = kind === 'waiting' ? 'waits' : 'expires soon'
      printLine(`${at}: a call of ${toolName} in run ${runId} ${what}: ${outcomeText(notice)}`)
    }
    for (const message of messages) {
      const { at, runId, sentByLabel } = message
      printLine(`${at}: run ${runId} of ${sentByLabel}: ${runMessageText(message)}`)
    }
  },
  further: addTest,
})

function addTest(group: Command): void {
  command(group, 'test', {
    description: 'send one test message; exit code 1 if that fails',
    args: oneOf(channels),
    work: async ({ ctx, args: [nameOrId = ''] }) => {
      const { testChannel } = await import('@/lib/domains/channels/verbs')
      const outcome = await testChannel(ctx, { id: nameOrId })
      const text = outcome.isAccepted ? 'The test message was accepted.' : 'It was not delivered.'
      return {
        json: outcome,
        text: [text, outcome.trouble].filter(Boolean).join(' '),
        exitCode: outcome.isAccepted ? exitCodes.ok : exitCodes.failed,
      }
    },
  })
}

function runMessageText(message: RunMessageOutcome): string {
  if (message.deliveredAt !== null || !message.isUncertain) return outcomeText(message)
  return ['not known whether it arrived.', message.trouble].join(' ').trim()
}

function outcomeText({ deliveredAt, trouble }: MessageOutcome): string {
  return deliveredAt === null ? trouble || 'on its way' : `arrived ${deliveredAt}`
}
