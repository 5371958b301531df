import type { ActionResult } from '@/lib/action'

/**
 * Adds what is wrong with fields that hold no figure to what the server says of the others, so that all of it is seen at
 * once. Such a figure is sent as NaN, which the server refuses as well.
 */
export function alsoWrong<T>(
  result: ActionResult<T>,
  figures: Record<string, string>,
): ActionResult<T> {
  if (result.ok || !result.error.fields) return result
  return { ok: false, error: { ...result.error, fields: { ...result.error.fields, ...figures } } }
}
