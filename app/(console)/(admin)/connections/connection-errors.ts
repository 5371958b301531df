import type { ActionError } from '@/lib/kernel/action'

/** `fields` by the names of the draft; `general` belongs to no field. */
export type ConnectionErrors = { fields: Partial<Record<string, string>>; general: string | null }

export const noErrors: ConnectionErrors = { fields: {}, general: null }

/** Returns the server's errors by field. An error of a single header is placed at the headers field. */
export function connectionErrors({ message, fields }: ActionError): ConnectionErrors {
  if (!fields) return { fields: {}, general: message }
  const named = Object.entries(fields).map(([path, text]) => [
    path.startsWith('settings.') ? path : (path.split('.')[0] ?? ''),
    text,
  ])
  const { '': general, confirmZone, ...rest }: Record<string, string> = Object.fromEntries(named)
  // The trust zone's field is where a person can correct the error.
  const placed = confirmZone === undefined ? rest : { trustZone: confirmZone, ...rest }
  return { fields: placed, general: general ?? null }
}
