import { expect, it } from 'vitest'
import { z } from 'zod'
import { defaultsOf, factText, newSchemasOf, readTyped, typedOf } from './field-codec'
import type { ResourceField } from './field-shape'

const shape = {
  name: { kind: 'text', label: 'Name', schema: z.string() },
  note: {
    kind: 'text',
    codec: 'text',
    label: 'Note',
    schema: z.string().nullable(),
    defaultValue: null,
  },
  tries: { kind: 'number', codec: 'count', label: 'Tries', schema: z.int(), defaultValue: 3 },
  waitMs: { kind: 'number', codec: 'seconds', label: 'Wait', schema: z.int().nullable() },
  cap: { kind: 'money', codec: 'usd', label: 'Cap', schema: z.int().nullable() },
  isOn: {
    kind: 'select',
    label: 'On',
    choices: [
      { value: true, label: 'Yes' },
      { value: null, label: 'Unknown' },
    ],
    schema: z.boolean().nullable(),
  },
} as const satisfies Record<string, ResourceField>
const stored = { name: ' N ', note: null, tries: 3, waitMs: 2_500, cap: 750_000, isOn: true }
const typed = { name: ' N ', note: '', tries: '3', waitMs: '2.5', cap: '0.75', isOn: true }

it('shows values as text and reads them again', () => {
  expect(typedOf(shape, stored)).toEqual(typed)
  expect(readTyped(shape, typed)).toEqual(stored)
})

it('reads what is empty as nothing, and what is no figure as none', () => {
  const read = readTyped(shape, { ...typed, note: ' a ', tries: '', waitMs: 'soon', cap: ' ' })
  expect(read).toMatchObject({ note: 'a', tries: null, waitMs: Number.NaN, cap: null })
})

it('gives a new resource its default values', () => {
  expect(defaultsOf(shape)).toEqual({ note: null, tries: 3 })
  const given = { name: 'N', waitMs: null, cap: null, isOn: null }
  expect(z.object(newSchemasOf(shape)).parse(given)).toEqual({ ...given, note: null, tries: 3 })
})

it('says a value in words', () => {
  expect(factText(shape.isOn, true)).toBe('Yes')
  expect(factText(shape.waitMs, 2_500)).toBe('2.5')
  expect(factText(shape.note, null)).toBe('')
})
