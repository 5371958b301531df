/** Quantities as people read them, the same on every page and in the terminal. */

const THIN = '\u202f'

/** 12345 -> "12 345" with narrow no-break spaces. */
export function formatCount(value: number): string {
  const [whole = '', fraction] = String(value).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, THIN)
  return fraction ? `${grouped}.${fraction}` : grouped
}

/** Micro-USD to dollars with the digits that are not zero; null = a price is unknown (SPEC R14). */
export function formatCost(microUsd: number | null): string {
  if (microUsd === null) return 'unpriced'
  if (microUsd === 0) return '$0'
  if (microUsd < 1) return '< $0.000001'
  const dollars = microUsd / 1_000_000
  if (dollars >= 1) return `$${formatCount(Math.round(dollars * 100) / 100)}`
  const digits = dollars >= 0.01 ? 4 : 6
  return `$${dollars.toFixed(digits).replace(/0+$/, '')}`
}

/** Milliseconds: "< 1 ms", "320 ms", "1.24 s", "2 min 05 s", "1 h 02 min". */
export function formatDuration(ms: number): string {
  if (ms < 1) return '< 1 ms'
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_995) return `${(ms / 1000).toFixed(ms < 9_995 ? 2 : 1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${pad(seconds % 60)} s`
  const minutes = Math.round(seconds / 60)
  return `${formatCount(Math.floor(minutes / 60))} h ${pad(minutes % 60)} min`
}

/** A running clock that does not jitter: "0:07", "2:05", "1:02:05". */
export function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const rest = `${Math.floor(seconds / 60) % 60}:${pad(seconds % 60)}`
  const hours = Math.floor(seconds / 3600)
  return hours === 0 ? rest : `${hours}:${rest.padStart(5, '0')}`
}

/** UTF-8 bytes in steps of 1024: "812 bytes", "48 KB", "1.2 MB". */
export function formatBytes(bytes: number): string {
  if (bytes === 1) return '1 byte'
  if (bytes < 1024) return `${bytes} bytes`
  const kilo = bytes / 1024
  if (kilo < 1000) return `${kilo < 10 ? trim(kilo.toFixed(1)) : Math.round(kilo)} KB`
  const mega = kilo / 1024
  return `${mega < 10 ? trim(mega.toFixed(1)) : Math.round(mega)} MB`
}

/** "1 call", "3 calls". */
export function formatNumberOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}

function trim(text: string): string {
  return text.replace(/\.0$/, '')
}
