import { kindWord, valueText } from '@toolgate/server/site-file/entry'
import type { SitePlan } from '@toolgate/server/site-file/plan-site'

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
  notices: string[]
}

const longest = 300

export function toPlanView({ steps, onlyHere, problems, notices }: SitePlan): PlanView {
  return {
    steps: steps.map(({ type, kind, key, changes }) => ({
      id: `${kind} ${key}`,
      type,
      what: kindWord(kind),
      key,
      changes: changes.map(({ field, before, after, note = '' }) => ({
        field,
        before: cut(typeof before === 'string' ? before : valueText(kind, field, before)),
        after: cut(typeof after === 'string' ? after : valueText(kind, field, after)),
        note,
      })),
    })),
    onlyHere: onlyHere.map(({ kind, key }) => ({
      id: `${kind} ${key}`,
      what: kindWord(kind),
      key,
    })),
    problems,
    notices,
  }
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
