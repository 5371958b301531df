import type { EditableConfiguration } from '@toolgate/server/domains/configurations/schemas'
import { diffConfigurations } from '@/lib/domains/configurations/shared/configuration-differences'
import { type ConfigurationDraft, draftLabel, draftOf } from './configuration-draft'
import type { Conflict } from './conflict-notice'

/** Returns what changed since the form was opened, and which of those fields were edited here too. */
export function conflictOf(
  opened: EditableConfiguration,
  draft: ConfigurationDraft,
  now: EditableConfiguration,
): Conflict {
  const { clashes } = mergeDrafts(draftOf(opened.form), draft, draftOf(now.form))
  return {
    version: now.version,
    differences: diffConfigurations(opened.form, now.form),
    clashes: clashes.map(draftLabel),
  }
}

/** Returns the draft with the changes of others, except in fields that were edited here. */
export function withOtherChanges(
  opened: EditableConfiguration,
  draft: ConfigurationDraft,
  now: EditableConfiguration,
): ConfigurationDraft {
  return mergeDrafts(draftOf(opened.form), draft, draftOf(now.form)).draft
}

type Field = keyof ConfigurationDraft

/** `theirs`: fields taken from the stored version. `clashes`: fields that both changed; `mine` was kept in them. */
type MergedDraft = { draft: ConfigurationDraft; theirs: Field[]; clashes: Field[] }

/** Merges two changes of one configuration, field by field. Nothing that was typed is lost. */
export function mergeDrafts(
  base: ConfigurationDraft,
  mine: ConfigurationDraft,
  now: ConfigurationDraft,
): MergedDraft {
  const fields = Object.keys(base) as Field[]
  const changed = fields.filter((field) => !same(base, now, field) && !same(mine, now, field))
  const theirs = changed.filter((field) => same(base, mine, field))
  const taken = Object.fromEntries(theirs.map((field) => [field, now[field]]))
  return {
    draft: { ...mine, ...taken },
    theirs,
    clashes: changed.filter((field) => !theirs.includes(field)),
  }
}

function same(a: ConfigurationDraft, b: ConfigurationDraft, field: Field): boolean {
  return JSON.stringify(a[field]) === JSON.stringify(b[field])
}
