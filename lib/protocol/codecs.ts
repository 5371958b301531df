const Figure = /^\$?(\d{1,9})(?:\.(\d{1,6}))?$/

/**
 * US dollars as people write them ("0.075", "$3", "12.50") in whole micro-USD; null when it is no such figure or finer
 * than a micro-dollar. Read digit by digit: a price never passes through a floating-point number.
 */
export function parseUsd(text: string): number | null {
  const parts = Figure.exec(text.trim())
  if (!parts) return null
  const [, dollars = '', decimals = ''] = parts
  return Number(dollars + decimals.padEnd(6, '0'))
}

/** The way back, for fields and tables: "0.075", "3.00", "12.50". */
export function usdText(microUsd: number): string {
  const digits = String(microUsd).padStart(7, '0')
  const decimals = digits.slice(-6).replace(/0+$/, '').padEnd(2, '0')
  return `${digits.slice(0, -6)}.${decimals}`
}

const Count = /^(?:\d{1,15}|[1-9]\d{0,2}([\s,_])\d{3}(?:\1\d{3}){0,3})$/

/** A whole number as people write it ("12000", "12,000", "12 000", "12_000"); null when it is none. */
export function parseCount(text: string): number | null {
  const typed = text.trim()
  return Count.test(typed) ? Number(typed.replaceAll(/[\s,_]/g, '')) : null
}

/** A number as people write it ("0.7", "-3"); null when it is none. A comma could mean either of two things. */
export function parseDecimal(text: string): number | null {
  const typed = text.trim()
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(typed) ? Number(typed) : null
}

/** Seconds as people write them ("30", "2.5", "0,5") in milliseconds; null when they are none or finer than that. */
export function parseSeconds(text: string): number | null {
  const typed = text.trim()
  if (!/^\d{1,9}(?:[.,]\d{1,2}|\.\d{3})?$/.test(typed)) return null
  return Math.round(Number(typed.replace(',', '.')) * 1000)
}

/** The way back, for fields: "30", "2.5". */
export function secondsText(ms: number): string {
  return String(ms / 1000)
}

/** What a field that may be empty holds: null = nothing, NaN = no figure, for the server to refuse beside the field. */
export function typedFigure(text: string, parse: (text: string) => number | null): number | null {
  return text.trim() === '' ? null : (parse(text) ?? Number.NaN)
}
