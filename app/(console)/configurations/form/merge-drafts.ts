import type { ConfigurationDraft } from './configuration-draft'

type Field = keyof ConfigurationDraft

/** `theirs` are fields taken over, `clashes` those that both changed, in which mine was kept. */
export type MergedDraft = { draft: ConfigurationDraft; theirs: Field[]; clashes: Field[] }

/** Joins what two people made of one thing, field by field: nothing that was typed is lost. */
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
