import { visibleText } from '@/lib/protocol/visible-text'
import { kindWord } from '@/lib/site-file/entry-key'
import type { FieldChange } from '@/lib/site-file/handler'
import type { SitePlan, SiteStep } from '@/lib/site-file/plan-site'

const longest = 80

/** A plan as lines: "+" is new, "~" is changed, "=" stays as it is. */
export function planLines({ steps, onlyHere, problems }: SitePlan): string[] {
  return [
    ...steps.flatMap(stepLines),
    ...onlyHere.map(({ kind, key }) => `= ${kindWord(kind)} ${key}: only here, left alone`),
    ...problems.map((problem) => `! ${problem}`),
    sumLine(steps.length, problems.length),
  ].map(visibleText)
}

function stepLines({ type, kind, key, changes }: SiteStep): string[] {
  if (type === 'create') return [`+ ${kindWord(kind)} ${key}`]
  return [`~ ${kindWord(kind)} ${key}`, ...changes.map((change) => `    ${changeText(change)}`)]
}

function changeText({ field, before, after, note }: FieldChange): string {
  const values = `${field}: ${valueText(before)} -> ${valueText(after)}`
  return note === undefined ? values : `${values} (${note})`
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text
}

function sumLine(steps: number, problems: number): string {
  if (problems > 0) return 'Nothing can be applied until that is put right.'
  if (steps === 0) return 'Nothing to do: this site is what the file says.'
  return steps === 1 ? '1 change.' : `${steps} changes.`
}
