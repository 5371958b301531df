import type { ActionError } from '@/lib/kernel/action'

/** `fields` by place in the rule ("conditions.0.path"); `general` belongs to no field. */
export type RuleErrors = { fields: Record<string, string>; general: string | null }

export const noErrors: RuleErrors = { fields: {}, general: null }

/** Returns the errors without those of the changed parts of the rule. */
export function withoutErrorsOf(errors: RuleErrors, parts: readonly string[]): RuleErrors {
  const kept = Object.entries(errors.fields).filter(
    ([path]) => !parts.some((part) => path === part || path.startsWith(`${part}.`)),
  )
  return { fields: Object.fromEntries(kept), general: null }
}

/** Returns the server's errors by the rule's own field names, wherever the rule stood in the request. */
export function ruleErrors({ message, fields }: ActionError): RuleErrors {
  if (!fields) return { fields: {}, general: message }
  const named = Object.entries(fields).map(([path, text]) => [path.replace(/^rule\.?/, ''), text])
  const { '': general, ...rest }: Record<string, string> = Object.fromEntries(named)
  return { fields: rest, general: general ?? null }
}
