import type { z } from 'zod'
import {
  parseCount,
  parseSeconds,
  parseUsd,
  secondsText,
  typedFigure,
  usdText,
} from '@/lib/words/format'
import { jsonOrText } from '@/lib/words/json-text'
import type { FieldCodec, ResourceField } from './field-shape'

type Fields = Readonly<Record<string, ResourceField>>

/** The values of a resource. */
export type ValuesOf<F extends Fields> = { [K in keyof F]: z.output<F[K]['schema']> }

/** The values of a resource in a form: text where a codec reads the value from text. */
export type TypedOf<F extends Fields> = {
  [K in keyof F]: F[K] extends { codec: FieldCodec } ? string : z.output<F[K]['schema']>
}

type Stored = Readonly<Record<string, { schema: z.ZodType; defaultValue?: unknown }>>

type Defaults<F extends Stored> = {
  [K in keyof F as F[K] extends { defaultValue: unknown } ? K : never]: z.output<F[K]['schema']>
}

type Codec = {
  textOf: (value: never) => string
  /** NaN = no figure, text = no JSON: the server refuses both beside the field. */
  read: (text: string) => unknown
}

const codecs: Record<FieldCodec, Codec> = {
  text: { textOf: (text: string) => text, read: (text) => text.trim() || null },
  count: { textOf: String, read: (text) => typedFigure(text, parseCount) },
  seconds: { textOf: secondsText, read: (text) => typedFigure(text, parseSeconds) },
  usd: { textOf: usdText, read: (text) => typedFigure(text, parseUsd) },
  json: {
    textOf: (value: object) => JSON.stringify(value, null, 2),
    read: (text) => (text.trim() === '' ? null : jsonOrText(text)),
  },
}

// Object.fromEntries loses the types of the fields, so each of these states them again.

/** Returns what a form holds of these values; "" where nothing is given. */
export function typedOf<F extends Fields>(fields: F, values: ValuesOf<F>): TypedOf<F> {
  const typed = Object.keys(fields).map((name) => {
    const [codec, value] = [codecOf(fields[name]), values[name]]
    return [name, codec ? (value === null ? '' : codec.textOf(value as never)) : value]
  })
  return Object.fromEntries(typed) as TypedOf<F>
}

/** Returns the values that a form holds; null where nothing is given, NaN where no figure is typed. */
export function readTyped<F extends Fields>(fields: F, typed: TypedOf<F>): ValuesOf<F> {
  const values = Object.keys(fields).map((name) => {
    const [codec, value] = [codecOf(fields[name]), typed[name]]
    return [name, codec ? codec.read(String(value)) : value]
  })
  return Object.fromEntries(values) as ValuesOf<F>
}

function codecOf(field: ResourceField | undefined): Codec | null {
  return field && 'codec' in field && field.codec ? codecs[field.codec] : null
}

/**
 * Returns a value as people read it: the words of a choice, the text of a figure; "" where nothing is given. `values`: the
 * object that has it.
 */
export function factText(
  field: ResourceField,
  value: unknown,
  values: Readonly<Record<string, unknown>> = {},
): string {
  if (Array.isArray(value)) return value.map((each) => factText(field, each, values)).join(', ')
  if (field.textOf) return field.textOf(value, values)
  const choices = field.kind === 'select' || field.kind === 'checkboxes' ? field.choices : []
  const chosen = choices.find((choice) => choice.value === value)
  if (chosen) return chosen.label
  if (value === null || value === undefined) return ''
  if (field.kind === 'switch') return value === true ? 'on' : 'off'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const codec = codecOf(field)
  const isTyped =
    codec === codecs.json || typeof value === (codec === codecs.text ? 'string' : 'number')
  return codec && isTyped ? codec.textOf(value as never) : String(value)
}

/** Returns what may be stored in each field. */
export function schemasOf<F extends Stored>(fields: F) {
  const schemas = Object.entries(fields).map(([name, { schema }]) => [name, schema])
  return Object.fromEntries(schemas) as { [K in keyof F]: F[K]['schema'] }
}

/** Returns the schemas of a new resource, in which fields with a default value may be left out. */
export function newSchemasOf<F extends Fields>(fields: F) {
  const schemas = Object.entries(fields).map(([name, { schema, defaultValue }]) => [
    name,
    defaultValue === undefined ? schema : schema.default(defaultValue),
  ])
  return Object.fromEntries(schemas) as {
    [K in keyof F]: F[K] extends { defaultValue: unknown }
      ? z.ZodDefault<F[K]['schema']>
      : F[K]['schema']
  }
}

/** Returns what a new resource has where nothing is said. */
export function defaultsOf<F extends Stored>(fields: F): Defaults<F> {
  const given = Object.entries(fields).filter(([, field]) => field.defaultValue !== undefined)
  return Object.fromEntries(given.map(([name, field]) => [name, field.defaultValue])) as Defaults<F>
}
