import { REDACTED } from '@/lib/kernel/redaction/redact-text'
import type { LeftOut } from '@/lib/protocol/tool'
import { countOf } from '@/lib/words/format'

/** Returns the entry for the part of a list that is not shown, such as "12 of 212 accounts"; none when all of it is. */
export function notShown(
  { shown, total }: { shown: number; total: number },
  [one, many]: readonly [one: string, many: string],
  why: string,
): LeftOut[] {
  return shown < total ? [{ what: `${total - shown} of ${countOf(total, one, many)}`, why }] : []
}

/** Returns the entry for what redaction took out of a value on its way to the model; none when it took out nothing. */
export function redactedParts(given: unknown, shown: unknown): LeftOut[] {
  const count = marksIn(shown) - marksIn(given)
  return count > 0
    ? [{ what: countOf(count, 'part'), why: 'shown as [redacted], since it looks like a secret' }]
    : []
}

function marksIn(value: unknown): number {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.split(REDACTED.slice(0, -1)).length - 1
}
