const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const
export type DurationUnit = keyof typeof unitsMs

export function durationMs(amount: number, unit: DurationUnit): number {
  return amount * unitsMs[unit]
}

/** In the largest unit that leaves no rest, days from two on: 24 h, 7 d, 90 m. Below a minute it is rounded. */
export function durationParts(ms: number): { amount: number; unit: DurationUnit } {
  const minutes = Math.round(ms / unitsMs.m)
  if (minutes % 1440 === 0 && minutes > 1440) return { amount: minutes / 1440, unit: 'd' }
  if (minutes % 60 === 0 && minutes > 0) return { amount: minutes / 60, unit: 'h' }
  return { amount: minutes, unit: 'm' }
}

/** "24h", "7d", "90m". */
export function durationText(ms: number): string {
  const { amount, unit } = durationParts(ms)
  return `${amount}${unit}`
}

/** The way back, in milliseconds; null when it is no duration. */
export function parseDuration(text: string): number | null {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text.trim()) ?? []
  return amount && isUnit(unit) ? durationMs(Number(amount), unit) : null
}

function isUnit(text: string | undefined): text is DurationUnit {
  return text !== undefined && Object.hasOwn(unitsMs, text)
}

const words = { m: 'minute', h: 'hour', d: 'day' } as const

/** "8 hours", "1 hour", "7 days": a duration in a sentence. */
export function durationWords(ms: number): string {
  const { amount, unit } = durationParts(ms)
  return `${amount} ${words[unit]}${amount === 1 ? '' : 's'}`
}
