import { z } from 'zod'
import { AuditReason } from '../audit/audit-reason'

const approvalLifetime = 'From 5 minutes to 30 days.'

/** What admins set for the whole site. Each is a row of `settings` under its name here; no row = the usual value. */
export const SiteSettings = z.object({
  /** How long a call waits for a person, milliseconds; after that the answer is no (SPEC G-A). */
  approvalLifetimeMs: z
    .int(approvalLifetime)
    .min(5 * 60_000, approvalLifetime)
    .max(30 * 24 * 60 * 60_000, approvalLifetime),
})
export type SiteSettings = z.infer<typeof SiteSettings>
export type SettingName = keyof SiteSettings

export const usualSettings: SiteSettings = { approvalLifetimeMs: 24 * 60 * 60_000 }

export const UpdateSettings = SiteSettings.partial().extend({ reason: AuditReason })
export type UpdateSettings = z.input<typeof UpdateSettings>
