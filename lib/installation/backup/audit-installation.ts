import type pg from 'pg'
import { newId } from '@/lib/kernel/new-id'

/** The actor as the audit shows it; `id` null = no account. */
export type AuditAuthor = { id: string | null; label: string }

/**
 * Writes an entry of the audit over a plain connection: a backup may be of a database that this version has not migrated yet, and
 * a restore is one transaction of its own. `after` has no secret.
 */
export async function auditInstallation(
  client: Pick<pg.Client, 'query'>,
  author: AuditAuthor,
  { action, after }: { action: 'site.back-up' | 'site.restore'; after: object },
): Promise<void> {
  await client.query(
    `INSERT INTO audit_entries (id, "actorId", "actorLabel", action, "objectType", after)
     VALUES ($1, $2, $3, $4, 'site', $5)`,
    [newId(), author.id, author.label, action, JSON.stringify(after)],
  )
}
