import { z } from 'zod'

export const ReasonText = z.string().trim().max(500, 'A reason has at most 500 characters.')
export const AuditReason = ReasonText.default('')

/** For verbs whose reason is kept in the audit and nowhere else; "" = none was given. */
export const WithReason = z.object({ reason: AuditReason })
export type WithReason = z.input<typeof WithReason>
