import { expect, test } from 'vitest'
import { noFiles } from '../run-draft'
import { checkCompare, compareErrorsOf, noCompare, toPanelInput } from './compare-draft'

const run = { prompt: 'Who is who?', ...noFiles }
const two = { ...noCompare, ids: ['a', 'b'] }

test('a comparison needs two configurations, a prompt and figures that can be read', () => {
  expect(checkCompare(two, run)).toEqual({})
  expect(checkCompare({ ...noCompare, ids: ['a'] }, { ...run, prompt: ' ' })).toEqual({
    prompt: 'Enter a prompt first.',
    configurations: 'Pick at least 2 configurations to compare.',
  })
  const cap = { costCap: 'much', costCapMode: 'warn' as const }
  const wrong = { ...two, tools: ['look'], hops: '21', all: cap, each: cap }
  expect(Object.keys(checkCompare(wrong, { ...run, files: null }))).toEqual([
    'files',
    'hops',
    'all',
    'each',
  ])
  expect(checkCompare({ ...two, outputSchema: '[]' }, run)).toEqual({
    outputSchema: 'Write a JSON object.',
  })
  // The field is hidden: without tools, or with roles, which have schemas of their own.
  expect(checkCompare({ ...two, hops: '21' }, run)).toEqual({})
  const roles = { ...two, mode: 'coordinate' as const, ids: ['a', 'b', 'a'], outputSchema: '[]' }
  expect(checkCompare(roles, run)).toEqual({})
})

test('empty fields mean the usual values, and caps are off', () => {
  expect(toPanelInput(two, run)).toEqual({
    configurations: ['a', 'b'],
    prompt: 'Who is who?',
    files: [],
    tools: [],
    hops: 2,
    costCap: null,
    memberCostCap: null,
    outputSchema: null,
  })
  const all = { costCap: '0.5', costCapMode: 'enforce' as const }
  expect(toPanelInput({ ...two, tools: ['look'], hops: '7', all }, run)).toMatchObject({
    tools: ['look'],
    hops: 7,
    costCap: { mode: 'enforce', limitMicroUsd: 500_000 },
  })
  expect(toPanelInput({ ...two, outputSchema: '{"type": "object"}' }, run)).toMatchObject({
    outputSchema: { type: 'object' },
  })
})

test('an error of the server stands beside its field, or above the form when it has none', () => {
  const refused = (fields?: Record<string, string>) =>
    compareErrorsOf({ code: 'invalid-input', message: 'No.', ...(fields && { fields }) })
  expect(
    refused({
      'configurations.1': 'b is gone.',
      memberCostCap: 'More than 0.',
      outputSchema: 'No.',
    }),
  ).toEqual({
    members: { 1: 'b is gone.' },
    each: 'More than 0.',
    outputSchema: 'No.',
  })
  expect(refused()).toEqual({ general: { message: 'No.', signIn: false } })
})
