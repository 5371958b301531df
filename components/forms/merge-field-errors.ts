import type { ActionResult } from '@/lib/kernel/action'

/**
 * Returns the result with the form's own errors of number fields added to the server's field errors, so that a person
 * sees all of them at once. Text that is no number is sent as NaN, which the server refuses as well.
 */
export function mergeFieldErrors<T>(
  result: ActionResult<T>,
  figures: Record<string, string>,
): ActionResult<T> {
  if (result.ok || !result.error.fields) return result
  return { ok: false, error: { ...result.error, fields: { ...result.error.fields, ...figures } } }
}
