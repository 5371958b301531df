import { usdText } from '../protocol/format'

const amounts: ReadonlySet<string> = new Set(['costCapUsd', 'prices'])

/** Returns a field's value as the file has it. Micro-USD become dollars in quotes, never a floating-point number. */
export function asWritten(field: string, value: unknown): unknown {
  return amounts.has(field) ? inDollars(value) : value
}

function inDollars(value: unknown): unknown {
  if (typeof value === 'number') return usdText(value)
  if (Array.isArray(value)) return value.map(inDollars)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inDollars(part)]))
}
