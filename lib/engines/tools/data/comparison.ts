import { isIP } from 'node:net'
import { firstWords } from '@/lib/words/clean-text'
import { type Column, quoted } from './columns'

/** A test for values of a type, and words that show such a value. */
type Form = { takes: (text: string) => boolean; form: string }

/** The comparison of a column with text from a call, in the column's own type. `cast`: the type of the parameter. */
export type Comparison = Form & { cast: string }

const date = String.raw`\d{4,5}-\d\d-\d\d`
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?`
const zone = String.raw`(?:Z|[+-](?:0\d|1[0-5])(?::?[0-5]\d)?)?`
const fraction = String.raw`-?\d{1,100}(\.\d{1,100})?`

/** No form takes words such as "now", which are another value when a call runs than when a person saw it. */
const forms = new Map<string, Form & { cast?: string }>([
  ['smallint', whole(15n)],
  ['integer', whole(31n)],
  ['bigint', whole(63n)],
  ['oid', matching(/^\d{1,10}$/, '7')],
  ['numeric', matching(new RegExp(`^${fraction}$`), '12.5')],
  ['real', matching(new RegExp(`^${fraction}(e[+-]?\\d{1,3})?$`, 'i'), '12.5')],
  ['double precision', matching(new RegExp(`^${fraction}(e[+-]?\\d{1,3})?$`, 'i'), '12.5')],
  // As a text, money is in the words of a country.
  ['money', { ...matching(/^-?\d{1,17}(\.\d\d?)?$/, '12.50'), cast: 'numeric::money' }],
  ['boolean', matching(/^(?:true|false)$/, 'true')],
  [
    'uuid',
    matching(
      /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
      '0198a000-0000-7000-8000-00000000a001',
    ),
  ],
  ['text', { takes: isStorable, form: '' }],
  ['character varying', { takes: isStorable, form: '', cast: 'text' }],
  ['bpchar', { takes: isStorable, form: '' }],
  // A cast to these cuts what is longer, without a word.
  ['name', { ...upTo(63), cast: 'text' }],
  ['"char"', upTo(1)],
  ['date', timed(`^${date}$`, '2026-01-31')],
  ['time without time zone', timed(`^${time}$`, '12:00:00')],
  ['time with time zone', timed(`^${time}${zone}$`, '12:00:00Z')],
  [
    'timestamp without time zone',
    {
      ...timed(`^${date}[T ]${time}${zone}$`, '2026-01-31T12:00:00'),
      cast: 'timestamp with time zone::timestamp without time zone',
    },
  ],
  ['timestamp with time zone', timed(`^${date}[T ]${time}${zone}$`, '2026-01-31T12:00:00Z')],
  ['interval', matching(/^(?:P[\dYMWDTHS.,-]+|[+-]?\d[\d :.a-z+-]*)$/, '1 day 02:30:00')],
  ['inet', { takes: isNetwork, form: 'such as 10.0.0.1' }],
  ['cidr', { takes: isNetwork, form: 'such as 10.0.0.0/8' }],
  ['macaddr', matching(/^[0-9a-f:.-]{12,17}$/i, '08:00:2b:01:02:03')],
  ['macaddr8', matching(/^[0-9a-f:.-]{12,23}$/i, '08:00:2b:01:02:03:04:05')],
  ['"bit"', matching(/^[01]+$/, '101')],
  ['bit varying', matching(/^[01]*$/, '101')],
  ['jsonb', { takes: isJson, form: 'such as {"a": 1}' }],
])

/** Returns how a column is compared; null = its type has no order of its own, or none that a text from a call could name. */
export function comparisonOf(column: Column): Comparison | null {
  const { base, kind, labels, operators } = column
  if (operators === null || base.endsWith('[]')) return null
  if (labels !== null) {
    const form = `one of ${firstWords(labels.join(', '), 300)}`
    return { cast: base, takes: (text) => labels.includes(text), form }
  }
  if (kind === 'range') return { cast: base, ...matching(/^(?:empty|[^a-z]*)$/i, '[1,5)') }
  const known = forms.get(base)
  if (known) return { cast: base, ...known }
  return isOfSystem(column) ? null : { cast: base, takes: isStorable, form: '' }
}

/** Returns how a text from a call is written into a column: the type that it is cast to, and whether it is a value of this type. */
export function writtenAs(column: Column): Comparison {
  const { type, base } = column
  // An offset would be dropped without a word.
  const form = base === 'timestamp without time zone' ? zoneless : writtenForm(column)
  const length = /^(?:character|bit)(?: varying)?\((\d+)\)$/.exec(type)?.[1]
  if (length === undefined) return { ...form, cast: type }
  // A cast would cut a longer text without a word.
  const takes = (text: string) => form.takes(text) && [...text].length <= Number(length)
  return { ...form, cast: type, takes }
}

const zoneless = timed(`^${date}[T ]${time}$`, '2026-01-31T12:00:00')

function writtenForm(column: Column): Form {
  if (column.base === 'json') return { takes: isJson, form: 'such as {"a": 1}' }
  return comparisonOf(column) ?? { takes: isStorable, form: '' }
}

/** Returns an operator of a column's type as it stands in a statement: types of extensions have their own, which no path finds. */
export function operatorOf(column: Column, operator: '=' | '>'): string {
  const { operators } = column
  return isOfSystem(column) || operators === null
    ? operator
    : `OPERATOR(${quoted(operators)}.${operator})`
}

/** Returns the type to which a value is cast that the database itself gave for this column. */
export function ownCast(column: Column): string {
  return comparisonOf(column)?.cast ?? column.base
}

/** Returns whether the operators of a column are those of PostgreSQL itself. */
export function isOfSystem({ operators }: Column): boolean {
  return operators === 'pg_catalog'
}

/** Returns the words for the type in which a column is compared and ordered. */
export function typeWords({ type, base }: Column): string {
  return /^time(?:stamp| with )/.test(base) ? `${type}, in UTC` : type
}

/** Returns whether PostgreSQL takes a text: without NUL, and no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function matching(pattern: RegExp, example: string): Form {
  return { takes: (text) => pattern.test(text), form: `such as ${example}` }
}

function upTo(bytes: number): Form {
  const takes = (text: string) => isStorable(text) && Buffer.byteLength(text) <= bytes
  return { takes, form: `of at most ${bytes === 1 ? '1 byte' : `${bytes} bytes`}` }
}

function whole(bits: bigint): Form {
  const takes = (text: string) =>
    /^-?\d{1,19}$/.test(text) && BigInt(text) >= -(2n ** bits) && BigInt(text) < 2n ** bits
  return { takes, form: 'such as 7' }
}

/** Returns a form with a date or time in it, whose day must exist. */
function timed(pattern: string, example: string): Form {
  const form = matching(new RegExp(pattern), example)
  return { ...form, takes: (text) => form.takes(text) && hasDay(text) }
}

function hasDay(text: string): boolean {
  const [, year, month, day] = /^(\d+)-(\d\d)-(\d\d)/.exec(text)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined) return true
  const found = new Date(0)
  found.setUTCFullYear(year, month - 1, day)
  return year > 0 && found.getUTCMonth() === month - 1 && found.getUTCDate() === day
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '0', ...more] = text.split('/')
  const most = isIP(address) === 4 ? 32 : 128
  const isWhole = more.length === 0 && !address.includes('%')
  return isWhole && isIP(address) > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return isStorable(text)
  } catch {
    return false
  }
}
