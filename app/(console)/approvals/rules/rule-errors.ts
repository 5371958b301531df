import type { ActionError } from '@/lib/action'

/** `fields` by place in the rule ("conditions.0.path"); `general` belongs to no field. */
export type RuleErrors = { fields: Record<string, string>; general: string | null }

export const noErrors: RuleErrors = { fields: {}, general: null }

/** What is left of the errors when these parts of the rule were changed since. */
export function withoutErrorsOf(errors: RuleErrors, parts: readonly string[]): RuleErrors {
  const kept = Object.entries(errors.fields).filter(
    ([path]) => !parts.some((part) => path === part || path.startsWith(`${part}.`)),
  )
  return { fields: Object.fromEntries(kept), general: null }
}

/** What the server said, with the rule's own field names whatever it was sent in. */
export function ruleErrors({ message, fields }: ActionError): RuleErrors {
  if (!fields) return { fields: {}, general: message }
  const named = Object.entries(fields).map(([path, text]) => [path.replace(/^rule\.?/, ''), text])
  const { '': general, ...rest }: Record<string, string> = Object.fromEntries(named)
  return { fields: rest, general: general ?? null }
}
