/**
 * Returns whether a JSON value equals a constant: numbers by value, objects whatever the order of their names. It takes
 * steps for the constant alone, besides those of `countOf`.
 */
export function isEqual(
  constant: unknown,
  value: unknown,
  countOf: (object: object) => number,
): boolean {
  const open: [unknown, unknown][] = [[constant, value]]
  // No recursion: values may be nested deeper than a stack.
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [a, b] = pair
    if (a === b) continue
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
    if (Array.isArray(a) !== Array.isArray(b)) return false
    const names = Object.keys(a)
    if (names.length !== (Array.isArray(b) ? b.length : countOf(b))) return false
    for (const name of names) {
      if (!Object.hasOwn(b, name)) return false
      open.push([Reflect.get(a, name), Reflect.get(b, name)])
    }
  }
  return true
}

/** Returns how much there is to compare in a value: its parts, and their text. */
export function sizeOf(value: unknown): number {
  let size = 0
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    size += typeof next === 'string' ? 1 + next.length / 16 : 1
    if (typeof next === 'object' && next !== null)
      for (const each of Object.values(next)) open.push(each)
  }
  return size
}

/** Returns a text that is the same for two JSON objects or lists exactly if they are equal. */
export function equalKey(value: object): string {
  let key = ''
  const open: (string | { value: unknown })[] = [{ value }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') key += next
    else if (Array.isArray(next.value)) {
      open.push(']')
      for (const each of next.value.toReversed()) open.push(',', { value: each })
      open.push('[')
    } else if (typeof next.value === 'object' && next.value !== null) {
      open.push('}')
      for (const [name, each] of Object.entries(next.value).sort(byName)) {
        open.push(',', { value: each }, `${JSON.stringify(name)}:`)
      }
      open.push('{')
    } else key += typeof next.value === 'number' ? String(next.value) : JSON.stringify(next.value)
  }
  return key
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}

/** Returns whether a number is a whole multiple of another one, as they are written: 0.3 is one of 0.1. */
export function isMultiple(value: number, of: number): boolean {
  if (!Number.isFinite(value)) return false
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0
  const [a, b] = [decimalOf(value), decimalOf(of)]
  const exponent = Math.min(a.exponent, b.exponent)
  return scaled(a, exponent) % scaled(b, exponent) === 0n
}

type Decimal = { digits: bigint; exponent: number }

function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to)
}
