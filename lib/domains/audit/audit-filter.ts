import { z } from 'zod'
import { Moment } from '@/lib/kernel/moment'

/** `refusal` = a failed sign-in, a refused request, or a key that no longer works. */
export const AuditKind = z.enum(['change', 'refusal'])
export type AuditKind = z.infer<typeof AuditKind>

/** Matches entries from `from` on and before `to`, both ISO text with a zone. `cursor`: id of the last entry of the page before. */
export const AuditFilter = z.object({
  kind: AuditKind.optional(),
  actor: z.string().trim().max(254).optional(),
  actorId: z.uuid().optional(),
  action: z.string().trim().max(100).optional(),
  objectType: z.string().trim().max(100).optional(),
  objectId: z.string().trim().max(300).optional(),
  from: Moment.optional(),
  to: Moment.optional(),
  cursor: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
})
export type AuditFilter = z.infer<typeof AuditFilter>
