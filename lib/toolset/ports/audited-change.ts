import type { AuditRow } from '@/lib/domains/audit/audit-row'
import { consoleTables } from '@/lib/domains/data-sources/denylist'
import type { OpenTable } from '@/lib/engines/tools/data/open-table'
import type { AuditedChange } from '@/lib/engines/tools/data-resources'
import type { Actor, JsonValue } from '@/lib/protocol/tool'

type Side = { readonly [field: string]: JsonValue }

/**
 * Returns what a person may know of an entry of the audit about a record of a table: values of its open columns alone. Which other of its
 * columns changed is said; who did it, and by which action, only to admins.
 */
export function auditedChange(
  { at, actor: who, action, before, after }: AuditRow,
  { name, columns: open }: OpenTable,
  { role }: Actor,
): AuditedChange {
  const isAdmin = role === 'admin'
  const decided = consoleTables.get(name)
  const closed =
    decided === undefined || decided === 'denied' ? [] : [...decided.allowed, ...decided.denied]
  const [old, now] = [sideOf(before), sideOf(after)]
  const fields = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])]
  const changed = fields.filter((field) => textOf(old?.[field]) !== textOf(now?.[field]))
  const known = changed.filter((field) => open.includes(field) || closed.includes(field))
  const columns = known.map((field) => ({
    name: field,
    values: open.includes(field) ? valuesOf(field, old, now) : null,
  }))
  return {
    at,
    who: isAdmin ? who : null,
    what: isAdmin ? action : null,
    columns,
    others: known.length < changed.length,
  }
}

function valuesOf(field: string, old: Side | null, now: Side | null) {
  return {
    ...(old && Object.hasOwn(old, field) && { before: textOf(old[field]) }),
    ...(now && Object.hasOwn(now, field) && { after: textOf(now[field]) }),
  }
}

function sideOf(value: JsonValue): Side | null {
  return typeof value === 'object' && !Array.isArray(value) ? value : null
}

function textOf(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
