import { type AnyResource, keyField } from '@/lib/shape/resource'
import type { AnyOptions, AnyRow } from './resource-options'
import { auditedFacts, replacedSecrets, shownName, type Values } from './resource-values'
import type { AuditedChange } from './verb'

type Whole = { resource: AnyResource; options: AnyOptions }

/** Words of a change in the audit and in a history; `action` only where it is not the verb's name. */
export type Said = { reason: string; action?: string }

/** An object before and after a change, what was given of it, and the confirmations that were given with it. */
type Step = { before: AnyRow; after: AnyRow; changes: Values; confirmed: Values }

/** Returns what the audit stores of an object. What has versions is stored as a version has it, without the switch. */
export function factsOf({ resource, options }: Whole, row: AnyRow): Values {
  const { fields, isVersioned } = resource
  return {
    ...(isVersioned ? resource.Version.parse(row) : auditedFacts(fields, row)),
    ...options.audited?.(row),
  }
}

/**
 * Returns what the audit stores of a change: first the other fields, then the switch, so that it can be searched for who
 * switched it.
 */
export function auditedRows(
  whole: Whole,
  { before, after, changes, confirmed }: Step,
  said: Said,
): AuditedChange<string>[] {
  const { noun, fields } = whole.resource
  const { id: subject } = before
  const others = Object.keys(changes).filter((name) => fields[name]?.kind !== 'switch')
  const between = 'enabled' in changes ? { ...after, enabled: before.enabled } : after
  const rows: AuditedChange<string>[] = []
  if (others.length > 0) {
    const further = { ...replacedSecrets(fields, changes), ...confirmed }
    const now = { ...sideOf(whole, between, others), ...further }
    rows.push({ subject, before: sideOf(whole, before, others), after: now, ...said })
  }
  if (between !== after) {
    const action = `${noun}.switch-${after.enabled === true ? 'on' : 'off'}`
    const [was, is] = [switchOf(whole, between), switchOf(whole, after)]
    rows.push({ subject, action, before: was, after: is, reason: said.reason })
  }
  return rows
}

/** Returns one side of a change: the whole object, or of what has versions the fields that differ. */
function sideOf(whole: Whole, row: AnyRow, names: readonly string[]): Values {
  const { fields, isVersioned } = whole.resource
  const all = factsOf(whole, row)
  if (!isVersioned) return all
  const shown = new Set(names.map((name) => shownName(name, fields[name])))
  const some = Object.entries(all).filter(([name]) => name === keyField(fields) || shown.has(name))
  return { ...Object.fromEntries(some), version: row.version }
}

function switchOf(whole: Whole, row: AnyRow): Values {
  const { fields, isVersioned } = whole.resource
  if (!isVersioned) return factsOf(whole, row)
  const key = keyField(fields) ?? 'id'
  return { [key]: row[key], enabled: row.enabled }
}
