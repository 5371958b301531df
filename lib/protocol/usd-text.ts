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
