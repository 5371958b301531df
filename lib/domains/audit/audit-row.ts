import type { AuditEntry } from '@/lib/generated/prisma/client'
import { withoutSecrets } from '@/lib/kernel/redaction/without-secrets'
import type { JsonValue } from '@/lib/protocol/tool'
import type { AuditKind } from './audit-filter'

/** One change, or equal refusals of one hour, as people and exports read it; `at` is ISO text in UTC. Secrets were left out when it was written. */
export type AuditRow = {
  id: string
  at: string
  actorId: string | null
  actor: string
  action: string
  objectType: string
  objectId: string | null
  before: JsonValue
  after: JsonValue
  reason: string
  ipAddress: string | null
  kind: AuditKind
  /** Number of equal refusals within one hour; then `at` is the first time and `lastAt` the last. */
  count: number
  lastAt: string | null
}

export function toAuditRow(entry: AuditEntry): AuditRow {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    actorId: entry.actorId,
    actor: entry.actorLabel,
    action: entry.action,
    objectType: entry.objectType,
    objectId: entry.objectId,
    before: withoutSecrets(entry.before),
    after: withoutSecrets(entry.after),
    reason: entry.reason,
    ipAddress: entry.ipAddress,
    kind: entry.refusalKey === null ? 'change' : 'refusal',
    count: entry.count,
    lastAt: entry.lastAt?.toISOString() ?? null,
  }
}
