import { type FieldShape, reasonField } from '../../protocol/field-shape'

export const missedChoices = [
  { value: 'skip', label: 'Skip it' },
  { value: 'once', label: 'Run once when a server is up again' },
] as const

/** The fields of a schedule. */
export const scheduleShape = {
  name: { kind: 'text', label: 'Name' },
  cron: {
    kind: 'text',
    label: 'Times',
    hint: 'A cron expression: minute, hour, day of the month, month, day of the week. "0 7 * * 1-5" is 7:00 on weekdays, "*/15 * * * *" every 15 minutes.',
    mono: true,
  },
  timeZone: {
    kind: 'text',
    label: 'Time zone',
    hint: 'Such as Europe/Berlin or UTC. A time that the change to summer time leaves out comes right after the change.',
  },
  configurationId: {
    kind: 'select',
    label: 'Configuration',
    search: 'Search configurations',
    placeholder: 'Pick a configuration',
    choices: [],
  },
  prompt: { kind: 'textarea', label: 'Prompt', rows: 6 },
  userId: { kind: 'text', label: 'Run as' },
  missed: {
    kind: 'select',
    label: 'A time at which no server is up',
    choices: missedChoices,
  },
  reason: reasonField,
} as const satisfies Record<string, FieldShape>
