import { Decimal as AnyDecimal } from 'decimal.js'
import { ToolError } from '@/lib/protocol/tool'

export const maxExpression = 1_000
export const significantDigits = 40
const mostDepth = 100
/** Larger and smaller results are refused: a power of a power would have more digits than there is memory. */
const largestExponent = 10_000

/** It computes with more digits than it returns, so that 1 / 3 * 3 is 1. */
const Decimal = AnyDecimal.clone({
  defaults: true,
  precision: significantDigits + 10,
  rounding: AnyDecimal.ROUND_HALF_UP,
  maxE: largestExponent,
  minE: -largestExponent,
})

type Value = AnyDecimal
type Function = { takes: readonly [least: number, most: number]; of: (args: Value[]) => Value }

const one = (of: (value: Value) => Value): Function => ({
  takes: [1, 1],
  of: ([value = zero]) => of(value),
})
const several = (of: (values: Value[]) => Value): Function => ({ takes: [1, 100], of })
const zero = new Decimal(0)

/** By the name in an expression, which is looked up in a Map because a model writes it. */
const functions: ReadonlyMap<string, Function> = new Map([
  ['abs', one((value) => value.abs())],
  ['ceil', one((value) => value.ceil())],
  ['exp', one((value) => value.exp())],
  ['floor', one((value) => value.floor())],
  ['ln', one((value) => value.ln())],
  ['log10', one((value) => value.log(10))],
  ['max', several((values) => Decimal.max(...values))],
  ['mean', several((values) => Decimal.sum(...values).div(values.length))],
  ['min', several((values) => Decimal.min(...values))],
  ['mod', { takes: [2, 2], of: ([value = zero, by = zero]) => remainder(value, by) }],
  ['round', { takes: [1, 2], of: ([value = zero, places = zero]) => rounded(value, places) }],
  ['sqrt', one((value) => value.sqrt())],
  ['sum', several((values) => Decimal.sum(...values))],
])
export const functionNames: readonly string[] = [...functions.keys()]

const constants: ReadonlyMap<string, Value> = new Map([
  ['pi', Decimal.acos(-1)],
  ['e', new Decimal(1).exp()],
])

/**
 * Returns the value of an arithmetic expression as a decimal number in text, with 40 significant digits. Throws ToolError whose
 * message says what of the expression cannot be read or computed, and where.
 */
export function calculate(expression: string): string {
  const reader = new Reader(expression)
  const value = reader.whole().toSignificantDigits(significantDigits)
  if (value.isNaN()) throw undefinedResult()
  if (!value.isFinite()) throw tooLarge()
  return Math.abs(value.e) <= significantDigits ? value.toFixed() : value.toString()
}

/** Reads an expression from left to right. It evaluates what it reads, so nothing of the text ever becomes code. */
class Reader {
  readonly #tokens: readonly Token[]
  #next = 0
  #depth = 0

  constructor(expression: string) {
    this.#tokens = tokensOf(expression)
  }

  whole(): Value {
    const value = this.#sum()
    if (this.#token.text !== '') throw this.#unexpected()
    return value
  }

  get #token(): Token {
    return this.#tokens[this.#next] ?? { text: '', at: 0, type: 'end' }
  }

  #takes(text: string): boolean {
    if (this.#token.text !== text) return false
    this.#next += 1
    return true
  }

  #sum(): Value {
    this.#depth += 1
    if (this.#depth > mostDepth) throw new ToolError('too-deep', 'It is nested too deeply.')
    let value = this.#product()
    for (;;) {
      if (this.#takes('+')) value = value.add(this.#product())
      else if (this.#takes('-')) value = value.sub(this.#product())
      else break
    }
    this.#depth -= 1
    return value
  }

  #product(): Value {
    let value = this.#signed()
    for (;;) {
      if (this.#takes('*')) value = value.mul(this.#signed())
      else if (this.#takes('/')) value = quotient(value, this.#signed())
      else return value
    }
  }

  #signed(): Value {
    let sign = 1
    for (;;) {
      if (this.#takes('-')) sign = -sign
      else if (!this.#takes('+')) return this.#power().mul(sign)
    }
  }

  #power(): Value {
    const bases = [this.#percentage()]
    // 2^3^2 is 2^(3^2), so the powers are taken from the right.
    while (this.#takes('^')) {
      const negative = this.#takes('-')
      const next = this.#percentage()
      bases.push(negative ? next.neg() : next)
    }
    return bases.reduceRight((exponent, base) => powerOf(base, exponent))
  }

  #percentage(): Value {
    let value = this.#operand()
    while (this.#takes('%')) {
      const { type, text } = this.#token
      if (type === 'number' || type === 'name' || text === '(') {
        throw this.#problem('% means percent. Use mod(a, b) for a remainder, or write * after it')
      }
      value = value.div(100)
    }
    return value
  }

  #operand(): Value {
    const { type, text } = this.#token
    if (type === 'number') {
      this.#next += 1
      return new Decimal(text)
    }
    if (type === 'name') return this.#named(text)
    if (!this.#takes('(')) throw this.#unexpected()
    const value = this.#sum()
    if (!this.#takes(')')) throw this.#unexpected()
    return value
  }

  #named(name: string): Value {
    const constant = constants.get(name)
    const called = functions.get(name)
    if (!constant && !called) {
      const known = [...functions.keys(), ...constants.keys()].join(', ')
      throw this.#problem(`"${name.slice(0, 40)}" is not known. Known are ${known}`)
    }
    this.#next += 1
    if (constant) return constant
    if (!this.#takes('(')) throw this.#problem(`"${name}" needs its values in parentheses`)
    const args: Value[] = []
    do args.push(this.#sum())
    while (this.#takes(','))
    if (!this.#takes(')')) throw this.#unexpected()
    const [least, most] = called?.takes ?? [0, 0]
    if (args.length < least || args.length > most) {
      const wanted = least === most ? least : `${least} to ${most}`
      throw this.#problem(`"${name}" takes ${wanted} values, not ${args.length}`)
    }
    return called?.of(args) ?? zero
  }

  #unexpected(): ToolError {
    const { text, type } = this.#token
    return this.#problem(
      type === 'end' ? 'The expression ends too early' : `"${text.slice(0, 40)}" cannot stand here`,
    )
  }

  #problem(words: string): ToolError {
    const { at, type } = this.#token
    const where = type === 'end' ? '' : ` (character ${at + 1})`
    return new ToolError('invalid-expression', `${words}${where}.`)
  }
}

type Token = { type: 'number' | 'name' | 'sign' | 'end'; text: string; at: number }

const anyToken =
  /\s*(?:(?<number>(?:\d[\d_]*)?\.?\d+(?:[eE][+-]?\d{1,6})?)|(?<name>[A-Za-z][A-Za-z0-9]*)|(?<sign>\*\*|[-+*/^%(),×÷−]))/y

/** Signs that people and models write for the same thing. */
const sameSign: ReadonlyMap<string, string> = new Map([
  ['**', '^'],
  ['×', '*'],
  ['÷', '/'],
  ['−', '-'],
])

function tokensOf(expression: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (expression.slice(at).trim() !== '') {
    anyToken.lastIndex = at
    const found = anyToken.exec(expression)
    if (!found) {
      const start = at + expression.slice(at).search(/\S/)
      const sign = String.fromCodePoint(expression.codePointAt(start) ?? 0)
      throw new ToolError(
        'invalid-expression',
        `"${sign}" cannot be read (character ${start + 1}). Write numbers like 1234.5, + - * / ^ %, parentheses and ${[...functions.keys()].join(', ')}.`,
      )
    }
    tokens.push(tokenOf(found))
    at = anyToken.lastIndex
  }
  return tokens
}

function tokenOf({ 0: whole, index, groups }: RegExpExecArray): Token {
  const { number, name, sign = '' } = groups ?? {}
  const at = index + whole.search(/\S/)
  if (number !== undefined) return { type: 'number', text: number.replaceAll('_', ''), at }
  if (name !== undefined) return { type: 'name', text: name.toLowerCase(), at }
  return { type: 'sign', text: sameSign.get(sign) ?? sign, at }
}

function quotient(value: Value, by: Value): Value {
  if (by.isZero()) throw new ToolError('undefined', 'It divides by zero.')
  return value.div(by)
}

function remainder(value: Value, by: Value): Value {
  if (by.isZero()) throw new ToolError('undefined', 'It divides by zero.')
  return value.mod(by)
}

function powerOf(base: Value, exponent: Value): Value {
  if (exponent.abs().gt(largestExponent)) throw tooLarge()
  const value = base.pow(exponent)
  if (value.isNaN()) throw undefinedResult()
  return value
}

function rounded(value: Value, places: Value): Value {
  if (!places.isInteger() || places.lt(0) || places.gt(significantDigits)) {
    throw new ToolError('invalid-expression', 'round takes 0 to 40 decimal places.')
  }
  return value.toDecimalPlaces(places.toNumber())
}

function undefinedResult(): ToolError {
  return new ToolError('undefined', 'It has no real number as its result.')
}

function tooLarge(): ToolError {
  return new ToolError('too-large', `It is larger than 10^${largestExponent}.`)
}
