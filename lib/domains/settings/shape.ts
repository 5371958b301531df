import { z } from 'zod'
import { choicesOf } from '../../protocol/field-shape'

const minutesToDays = 'From 5 minutes to 30 days.'
const duration = z
  .int(minutesToDays)
  .min(5 * 60_000, minutesToDays)
  .max(30 * 24 * 60 * 60_000, minutesToDays)

/** Whose local accounts must have a second factor. */
export const SecondFactorFor = z.enum(
  ['none', 'admins', 'everyone'],
  'Enter none, admins or everyone.',
)
export type SecondFactorFor = z.infer<typeof SecondFactorFor>

/**
 * The settings of the site, each described once for its form, the terminal (`command`) and storage. Each is a row of
 * `settings` under its name here; no row = the default. Durations are in milliseconds.
 */
export const settingShape = {
  /** How long a call waits for approval. After that, it is denied (SPEC G-A). */
  approvalLifetimeMs: {
    schema: duration,
    usual: 24 * 60 * 60_000,
    label: 'How long a call waits',
    hint: '5 minutes to 30 days; the default is 24 hours. After that, the call is denied. Calls that already wait keep their deadline.',
    command: { name: 'approval-lifetime', about: 'how long a call waits for approval' },
  },
  /** A session ends when nobody used it for this long (SPEC A6). */
  sessionIdleMs: {
    schema: duration,
    usual: 8 * 60 * 60_000,
    label: 'Sign out after no activity for',
    hint: '5 minutes to 30 days; the default is 8 hours. A session always ends 12 hours after sign-in.',
    command: { name: 'session-idle', about: 'how long a session lasts without activity' },
  },
  secondFactorFor: {
    schema: SecondFactorFor,
    usual: 'none',
    kind: 'select',
    label: 'Second factor required for',
    hint: 'Applies to accounts with a password. People without a second factor must set one up before they can do anything else. Accounts of the identity provider, API keys and the command line are not affected.',
    choices: choicesOf({ none: 'Nobody', admins: 'Admins', everyone: 'Everyone' }),
    command: {
      name: 'second-factor',
      about: `who must have a second factor: ${SecondFactorFor.options.join(', ')}`,
    },
  },
} as const

export type SettingName = keyof typeof settingShape
export type DurationSetting = Exclude<SettingName, 'secondFactorFor'>

export const SiteSettings = z.object({
  approvalLifetimeMs: settingShape.approvalLifetimeMs.schema,
  sessionIdleMs: settingShape.sessionIdleMs.schema,
  secondFactorFor: settingShape.secondFactorFor.schema,
})
export type SiteSettings = z.infer<typeof SiteSettings>

export const usualSettings: SiteSettings = {
  approvalLifetimeMs: settingShape.approvalLifetimeMs.usual,
  sessionIdleMs: settingShape.sessionIdleMs.usual,
  secondFactorFor: settingShape.secondFactorFor.usual,
}
