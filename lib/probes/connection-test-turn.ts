import { RateLimitedError } from '@/lib/kernel/errors'

const windowMs = 60_000
const mostInWindow = 30

const turns = new Map<string, number[]>()

/**
 * Counts the tests and model lists that one person requests in this process, because they reach other hosts. Throws
 * RateLimitedError above 30 a minute.
 */
export function connectionTestTurn(userId: string, nowMs: number): void {
  for (const [who, at] of turns) if (at.every((each) => each <= nowMs - windowMs)) turns.delete(who)
  const recent = (turns.get(userId) ?? []).filter((at) => at > nowMs - windowMs)
  const [oldest] = recent
  if (oldest !== undefined && recent.length >= mostInWindow) {
    const seconds = Math.ceil((oldest + windowMs - nowMs) / 1000)
    throw new RateLimitedError(
      `You tested connections or listed their models ${mostInWindow} times in a minute, the maximum. Wait ${seconds} s.`,
      seconds,
    )
  }
  turns.set(userId, [...recent, nowMs])
}
