import { z } from 'zod'
import { mostRounds } from '@/lib/protocol/parameters/configuration-form'
import { defaultsOf, factText, schemasOf } from '@/lib/shape/field-codec'
import { choicesOf } from '@/lib/shape/field-shape'
import { durationWords, formatCount } from '@/lib/words/format'
import { isTimeZone } from '@/lib/words/time-zone'

/** A start looks for a free place among as many. */
const mostRunsAtOnce = 1_000

const minutesToDays = 'From 5 minutes to 30 days.'
const duration = {
  kind: 'duration',
  schema: z
    .int(minutesToDays)
    .min(5 * 60_000, minutesToDays)
    .max(30 * 24 * 60 * 60_000, minutesToDays),
} as const
const durationValues = '5m to 30d, such as 90m, 24h or 7d'

/** Describes a setting for how many runs may be active at once. */
function runsAtOnce<Name extends string>(
  defaultValue: number,
  label: string,
  name: Name,
  more = '',
) {
  return {
    kind: 'number',
    schema: z
      .int('Enter a whole number of runs.')
      .min(1, 'At least 1 run.')
      .max(mostRunsAtOnce, `At most ${formatCount(mostRunsAtOnce)} runs.`),
    defaultValue,
    label,
    hint: `1-${formatCount(mostRunsAtOnce)}, by default ${defaultValue}.${more}`,
    command: { name, about: `${label.toLowerCase()}; more wait`, values: `1 to ${mostRunsAtOnce}` },
  } as const
}

const mostMebibytes = 1_048_576

/** Describes a setting for what may be written to a workspace, in MiB. */
function mebibytes<Name extends string>(
  defaultValue: number,
  label: string,
  name: Name,
  consequence: string,
) {
  return {
    kind: 'number',
    schema: z
      .int('Enter a whole number of MiB.')
      .min(1, 'At least 1 MiB.')
      .max(mostMebibytes, `At most ${formatCount(mostMebibytes)} MiB.`),
    defaultValue,
    label,
    hint: `1-${formatCount(mostMebibytes)}, by default ${formatCount(defaultValue)}. ${consequence}`,
    command: {
      name,
      about: label.toLowerCase().replace('mib', 'MiB'),
      values: `1 to ${mostMebibytes}`,
    },
  } as const
}

const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)

/** Local accounts that must have a second factor. */
export const SecondFactorFor = z.enum(
  ['none', 'admins', 'everyone'],
  'Enter none, admins or everyone.',
)
export type SecondFactorFor = z.infer<typeof SecondFactorFor>

/**
 * The settings of the site, each described once for its form, the terminal (`command`) and storage. Each is a row of
 * `settings` under its name here; no row = the default. Durations are in milliseconds. `personsAct`: only a
 * person who recently confirmed their identity may change it, and no API key.
 */
export const settingShape = {
  /** Time that a call waits for approval before it is denied (SPEC G-A). */
  approvalLifetimeMs: {
    ...duration,
    defaultValue: 24 * 60 * 60_000,
    label: 'How long a call waits',
    hint: 'Up to 30 days, by default 24 hours. Then it is denied.',
    command: {
      name: 'approval-lifetime',
      about: 'how long a call waits for approval',
      values: durationValues,
    },
  },
  /** No run makes more rounds, whatever its configuration says (SPEC R3). */
  maxRounds: {
    kind: 'number',
    schema: z
      .int('Enter a whole number of rounds.')
      .min(1, 'At least 1 round.')
      .max(mostRounds, `At most ${mostRounds} rounds.`),
    defaultValue: 50,
    label: 'Maximum rounds of a run',
    hint: `1-${mostRounds}, by default 50. Configurations may set less.`,
    command: {
      name: 'max-rounds',
      about: 'maximum rounds of a run, whatever its configuration says',
      values: `1 to ${mostRounds}`,
    },
  },
  siteRuns: runsAtOnce(256, 'Runs at once', 'site-runs'),
  /** Admins may have as many as the site. */
  personRuns: runsAtOnce(
    32,
    'Runs of one person at once',
    'person-runs',
    ' Admins: as many as the site.',
  ),
  configurationRuns: runsAtOnce(256, 'Runs of one configuration at once', 'configuration-runs'),
  programDisk: mebibytes(
    1_024,
    'MiB that a program may add to a workspace',
    'program-disk',
    'A call that adds more is stopped.',
  ),
  workspaceDisk: mebibytes(
    10_240,
    'MiB that a workspace may hold',
    'workspace-disk',
    'Above it, no program starts.',
  ),
  /** A session ends when nobody used it for this long (SPEC A6). */
  sessionIdleMs: {
    ...duration,
    personsAct: 'sign-in',
    defaultValue: 8 * 60 * 60_000,
    label: 'Sign out after no activity for',
    hint: 'Up to 30 days, by default 8 hours. Every session ends after 12 hours.',
    command: {
      name: 'session-idle',
      about: 'how long a session lasts without activity',
      values: durationValues,
    },
  },
  sessionsOfPerson: {
    kind: 'number',
    schema: z
      .int('Enter a whole number of sessions.')
      .min(1, 'At least 1 session.')
      .max(100, 'At most 100 sessions.'),
    personsAct: 'sign-in',
    defaultValue: 10,
    label: 'Sessions of one person at once',
    hint: '1-100, by default 10. A further one ends the oldest.',
    command: {
      name: 'sessions-of-person',
      about: 'how many sessions of one person are open at once; a further sign-in ends the oldest',
      values: '1 to 100',
    },
  },
  secondFactorFor: {
    schema: SecondFactorFor,
    personsAct: 'sign-in',
    defaultValue: 'none',
    kind: 'select',
    label: 'Second factor required for',
    hint: 'Accounts with a password must set one up before anything else.',
    choices: choicesOf({ none: 'Nobody', admins: 'Admins', everyone: 'Everyone' }),
    command: {
      name: 'second-factor',
      about: `who must have a second factor: ${SecondFactorFor.options.join(', ')}`,
      values: 'none, admins or everyone',
    },
  },
  backupHour: {
    schema: z.enum(['off', ...hours], 'Enter off, or a full hour such as 03:00.'),
    personsAct: 'backup',
    defaultValue: 'off',
    kind: 'select',
    label: 'Back up daily at',
    hint: 'Without the vault key, which needs a passphrase.',
    choices: [
      { value: 'off', label: 'Never' },
      ...hours.map((hour) => ({ value: hour, label: hour })),
    ],
    command: {
      name: 'backup-hour',
      about: 'when a backup is written each day',
      values: 'off, or 00:00 to 23:00',
    },
  },
  backupZone: {
    schema: z
      .string()
      .max(100)
      .refine(isTimeZone, 'Enter a time zone such as Europe/Berlin or UTC.'),
    personsAct: 'backup',
    defaultValue: 'UTC',
    kind: 'text',
    label: 'Time zone of this hour',
    command: {
      name: 'backup-zone',
      about: 'time zone of backup-hour',
      values: 'such as UTC or Europe/Berlin',
    },
  },
  backupsKept: {
    kind: 'number',
    schema: z
      .int('Enter a whole number of backups.')
      .min(1, 'At least 1 backup.')
      .max(1_000, `At most ${formatCount(1_000)} backups.`),
    personsAct: 'backup',
    defaultValue: 7,
    label: 'Scheduled backups to keep',
    hint: `1-${formatCount(1_000)}, by default 7. Those made by hand stay.`,
    command: {
      name: 'backups-kept',
      about: 'how many scheduled backups are kept',
      values: '1 to 1000',
    },
  },
} as const

export type SettingName = keyof typeof settingShape
// The type of Object.keys does not say that these are the keys of the shape.
export const settingNames = Object.keys(settingShape) as SettingName[]

export const SiteSettings = z.object(schemasOf(settingShape))
export type SiteSettings = z.infer<typeof SiteSettings>

export const defaultSettings: SiteSettings = defaultsOf(settingShape)

/** Returns the value of a setting as people read it: "8 hours", "Nobody". */
export function settingWords(name: SettingName, settings: SiteSettings): string {
  const [shape, value] = [settingShape[name], settings[name]]
  if (shape.kind === 'select') return factText(shape, value)
  return shape.kind === 'duration' ? durationWords(Number(value)) : String(value)
}
