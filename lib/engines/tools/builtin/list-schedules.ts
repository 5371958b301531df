import { z } from 'zod'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import { defineTool } from '../define-tool'
import { notShown, redactedParts } from '../left-out'

const mostSchedules = 100

export default defineTool({
  name: 'list_schedules',
  description:
    'Lists the schedules of this Toolgate installation by name: cron expression, the same in words, time zone, whether it is ' +
    'on, its next time, task, configuration, and its last start with what came of it. Prompts are left out. Use it for questions ' +
    `about what runs when. At most ${mostSchedules}; "total" says how many there are.`,
  group: 'system',
  parameters: z.object({}),
  enabledByDefault: true,
  requiresAdmin: true,
  effect: 'read',
  trusted: true,
  dataClass: 'internal-config',
  timeoutMs: 10_000,
  limits: [`${mostSchedules} schedules`],
  example: {},
  execute: async (_, { resources }) => {
    const { total, schedules } = await resources.installation.schedules(mostSchedules)
    const lines = schedules.slice(0, mostSchedules).map(({ lastStart, ...schedule }) => ({
      name: schedule.name,
      cron: schedule.cron,
      words: schedule.words,
      timeZone: schedule.timeZone,
      enabled: schedule.enabled,
      next: schedule.next,
      task: schedule.task,
      configuration: schedule.configuration,
      lastStart: lastStart && {
        at: lastStart.at,
        outcome: redactText(lastStart.outcome).slice(0, 500),
      },
    }))
    const content = { total, shown: lines.length, schedules: lines }
    return {
      content,
      leftOut: [
        ...notShown(content, ['schedule', 'schedules'], `a call lists at most ${mostSchedules}`),
        ...redactedParts(schedules.slice(0, mostSchedules).map(outcomeOf), lines.map(outcomeOf)),
      ],
    }
  },
})

function outcomeOf({ lastStart }: { lastStart: { outcome: string } | null }): string {
  return lastStart?.outcome ?? ''
}
