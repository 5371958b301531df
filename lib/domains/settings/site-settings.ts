import { z } from 'zod'
import { AuditReason } from '../audit/audit-reason'

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

/** What admins set for the whole site. Each is a row of `settings` under its name here; no row = the usual value. */
export const SiteSettings = z.object({
  /** How long a call waits for a person, milliseconds; after that the answer is no (SPEC G-A). */
  approvalLifetimeMs: duration,
  /** A session ends when nobody used it for this long, milliseconds (SPEC A6). */
  sessionIdleMs: duration,
  secondFactorFor: SecondFactorFor,
})
export type SiteSettings = z.infer<typeof SiteSettings>
export type SettingName = keyof SiteSettings

export const usualSettings: SiteSettings = {
  approvalLifetimeMs: 24 * 60 * 60_000,
  sessionIdleMs: 8 * 60 * 60_000,
  secondFactorFor: 'none',
}

export const UpdateSettings = SiteSettings.partial().extend({ reason: AuditReason })
export type UpdateSettings = z.input<typeof UpdateSettings>

/** Whether these settings decide how people sign in, and for how long: whoever sets them must be there (SPEC A6). */
export function isAboutSignIn({ secondFactorFor, sessionIdleMs }: UpdateSettings): boolean {
  return secondFactorFor !== undefined || sessionIdleMs !== undefined
}
