import { durationParts } from './duration-text'

const words = { m: 'minute', h: 'hour', d: 'day' } as const

/** "8 hours", "1 hour", "7 days": a duration in a sentence. */
export function durationWords(ms: number): string {
  const { amount, unit } = durationParts(ms)
  return `${amount} ${words[unit]}${amount === 1 ? '' : 's'}`
}
