import type { LongPrompt } from './cost'
import type { Usage } from './usage'

const narrowSpace = '\u202f'

/** A whole number with thin grouping: "12 345". */
export function formatCount(count: number): string {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, narrowSpace)
}

/** "1 call", "3 calls". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** "1 token", "12 345 tokens". */
export function formatTokens(tokens: number): string {
  return `${formatCount(tokens)} ${Math.round(tokens) === 1 ? 'token' : 'tokens'}`
}

/**
 * Micro-USD as people read it: "$0.000312", "$1.25", "< $0.000001"; null is "unpriced", never 0 (SPEC R14).
 * Below one dollar it shows down to the last micro-dollar, above it cents.
 */
export function formatCostMicroUsd(microUsd: number | null): string {
  if (microUsd === null) return 'unpriced'
  if (microUsd > 0 && microUsd < 1) return '< $0.000001'
  const decimals = microUsd < 1_000_000 ? 6 : 2
  const [whole = '0', fraction = ''] = (microUsd / 1_000_000).toFixed(decimals).split('.')
  return `$${formatCount(Number(whole))}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`
}

/** Milliseconds as "340 ms", "1.24 s", "12.4 s", "2 min 05 s", "1 h 03 min". */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 9_995) return `${(ms / 1000).toFixed(2)} s`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${twoDigits(seconds % 60)} s`
  const minutes = Math.floor(seconds / 60)
  return `${formatCount(Math.floor(minutes / 60))} h ${twoDigits(minutes % 60)} min`
}

/** How many bytes a text takes as UTF-8: the size that pages show of it. */
export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length
}

/** Bytes in binary units as "512 B", "1.5 KB", "48 KB", "5 MB". */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1023.5 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  const digits =
    unit === 0 || value >= 9.95
      ? Math.round(value).toString()
      : value.toFixed(1).replace(/\.0$/, '')
  return `${digits} ${units[unit]}`
}

const steps: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** Where `atMs` stands seen from `nowMs`: "just now", "5 minutes ago", "1 day ago", "in 2 hours". */
export function formatRelativeTime(atMs: number, nowMs: number): string {
  const distance = atMs - nowMs
  for (const [unit, ms] of steps) {
    if (Math.abs(distance) >= ms) return relative.format(Math.trunc(distance / ms), unit)
  }
  return 'just now'
}

function twoDigits(value: number): string {
  return value.toString().padStart(2, '0')
}

/** "above 272,000 input tokens: input 200 %, output 150 %". */
export function longPromptText({ aboveTokens, inputPercent, outputPercent }: LongPrompt): string {
  return `above ${formatCount(aboveTokens)} input tokens: input ${inputPercent} %, output ${outputPercent} %`
}

/** "provider reported $0.0042", where that is not what a request costs by the stored prices; empty = nothing to say. */
export function reportedCostText(
  { reportedCostMicroUsd }: Pick<Usage, 'reportedCostMicroUsd'>,
  costMicroUsd: number | null,
): string {
  if (reportedCostMicroUsd === undefined || reportedCostMicroUsd === costMicroUsd) return ''
  return `provider reported ${formatCostMicroUsd(reportedCostMicroUsd)}`
}

/** How a stored reason continues a sentence: `: the reason.`, or a full stop when none was given. */
export function because(reason: string): string {
  const text = reason.trim()
  if (text === '') return '.'
  return /[.!?]$/.test(text) ? `: ${text}` : `: ${text}.`
}
