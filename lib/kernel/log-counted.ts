import { log } from './log'
import { processState } from './process-state'

const hourMs = 3_600_000
const mostKinds = 1_000

const counted = processState(() => ({ hour: 0, counts: new Map<string, number>() }))

/**
 * Logs the first, tenth, hundredth, … event of one kind in an hour with their number (`total`), so that nobody fills the
 * log by causing it again and again (SPEC A5). `kind`: what makes two events equal, with their source among it. Kinds
 * beyond 1,000 an hour count as one.
 */
export function logCounted(
  level: 'warn' | 'error',
  kind: readonly (string | null | undefined)[],
  facts: Record<string, unknown>,
  message: string,
  now = Date.now(),
): void {
  const hour = Math.floor(now / hourMs)
  if (counted.value.hour !== hour) counted.value = { hour, counts: new Map() }
  const { counts } = counted.value
  const own = JSON.stringify([message, ...kind])
  const key = counts.has(own) || counts.size < mostKinds ? own : ''
  const total = (counts.get(key) ?? 0) + 1
  counts.set(key, total)
  if (hasMoreDigits(total, total - 1)) log[level]({ ...facts, total }, message)
}

/** Returns whether a count grew to 1, 10, 100, … */
export function hasMoreDigits(total: number, before: number): boolean {
  return before === 0 || String(total).length > String(before).length
}
