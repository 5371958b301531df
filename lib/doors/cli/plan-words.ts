import { visibleText } from '@/lib/protocol/clean-text'
import { kindWord, valueText } from '@/lib/site-file/entry'
import type { FieldChange } from '@/lib/site-file/handler'
import type { SitePlan, SiteStep } from '@/lib/site-file/plan-site'
import type { Kind } from '@/lib/site-file/site-file'

const longest = 80

/** Returns a plan as lines: "+" is new, "~" is changed, "=" is unchanged, "*" was read in another way. */
export function planLines({ steps, onlyHere, problems, notices }: SitePlan): string[] {
  return [
    ...steps.flatMap(stepLines),
    ...onlyHere.map(
      ({ kind, key }) => `= ${kindWord(kind)} ${key}: only on this site, not changed`,
    ),
    ...notices.map((notice) => `* ${notice}`),
    ...problems.map((problem) => `! ${problem}`),
    sumLine(steps.length, problems.length),
  ].map(visibleText)
}

function stepLines({ type, kind, key, changes }: SiteStep): string[] {
  if (type === 'create') return [`+ ${kindWord(kind)} ${key}`]
  return [
    `~ ${kindWord(kind)} ${key}`,
    ...changes.map((change) => `    ${changeText(kind, change)}`),
  ]
}

function changeText(kind: Kind, { field, before, after, note }: FieldChange): string {
  const [old, now] = [before, after].map((value) => cut(valueText(kind, field, value)))
  const values = `${field}: ${old} -> ${now}`
  return note === undefined ? values : `${values} (${note})`
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text
}

function sumLine(steps: number, problems: number): string {
  if (problems > 0) return 'Nothing can be applied until these problems are fixed.'
  if (steps === 0) return 'No changes: this site matches the file.'
  return steps === 1 ? '1 change.' : `${steps} changes.`
}
