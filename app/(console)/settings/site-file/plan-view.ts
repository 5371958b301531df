import { kindWord } from '@/lib/site-file/entry-key'
import type { SitePlan } from '@/lib/site-file/plan-site'

/** A plan as the page shows it: values as text, long ones cut. */
export type PlanView = {
  steps: {
    id: string
    type: 'create' | 'update'
    what: string
    key: string
    changes: { field: string; before: string; after: string; note: string }[]
  }[]
  onlyHere: { id: string; what: string; key: string }[]
  problems: string[]
}

const longest = 300

export function toPlanView({ steps, onlyHere, problems }: SitePlan): PlanView {
  return {
    steps: steps.map(({ type, kind, key, changes }) => ({
      id: `${kind} ${key}`,
      type,
      what: kindWord(kind),
      key,
      changes: changes.map(({ field, before, after, note = '' }) => ({
        field,
        before: valueText(before),
        after: valueText(after),
        note,
      })),
    })),
    onlyHere: onlyHere.map(({ kind, key }) => ({
      id: `${kind} ${key}`,
      what: kindWord(kind),
      key,
    })),
    problems,
  }
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
