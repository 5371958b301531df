import { expect, test } from 'vitest'
import { keptRaise, type TrustZone } from '@/lib/protocol/model/model-target'
import type { ConfigurationForm } from '@/lib/protocol/parameters/configuration-form'
import { ConfigurationOptions, defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import {
  diffConfigurations,
  differingParts,
  restoredDifferences,
  wordsOf,
} from './configuration-differences'

const model = { id: 'm1', name: 'One', connection: 'Near' }
const form: ConfigurationForm = {
  identifier: 'mini',
  name: 'Mini',
  description: '',
  enabled: true,
  model,
  fallbacks: [],
  systemPrompt: 'Be brief.\n',
  ...defaultModelParameters,
  options: ConfigurationOptions.parse({}),
  toolMode: 'auto',
  maxRounds: 5,
  timeLimitMs: 600_000,
  costCapMicroUsd: null,
  costCapMode: 'warn',
  allowedToolGroups: null,
  allowedTools: [],
  allowedOverrides: [],
  raisedDataClass: null,
  fourEyes: false,
  afterUntrusted: 'allow',
  memoryInPrompt: false,
  groups: [],
  skills: [],
}

test('differences are said in words, in the order of the form', () => {
  const after: ConfigurationForm = {
    ...form,
    enabled: false,
    model: { id: 'm2', name: 'Two', connection: 'Far' },
    fallbacks: [model],
    systemPrompt: 'Be long.\n',
    temperature: 0,
    timeLimitMs: 90_000,
    costCapMicroUsd: 250_000,
    costCapMode: 'enforce',
    toolMode: 'native',
    raisedDataClass: 'internal-config',
    allowedToolGroups: ['system'],
    allowedTools: ['list_users'],
    allowedOverrides: ['temperature'],
    stop: ['a\nb'],
    skills: [{ id: 's', name: 'look', enabled: false }],
  }
  const differences = diffConfigurations(form, after)
  expect(differences.map(({ type, before, after: now }) => [type, before, now])).toEqual([
    ['value', 'on', 'off'],
    ['value', 'One at Near', 'Two at Far'],
    ['list', [], ['One at Near']],
    ['text', 'Be brief.\n', 'Be long.\n'],
    ['value', 'model’s default', '0'],
    ['list', [], ['"a\\nb"']],
    ['value', 'Automatic', 'Native'],
    ['value', '10 min 00 s', '1 min 30 s'],
    ['value', 'none', '$0.25'],
    ['value', 'Warn only', 'Stop with a final answer'],
    ['value', 'all tool groups', 'system'],
    ['list', [], ['list_users']],
    ['list', [], ['Temperature']],
    ['value', 'set by the trust zone', 'Internal configuration'],
    ['list', [], ['look (off in this configuration)']],
  ])
  expect(differingParts(form, differences.slice(0, 1))).toEqual({ enabled: true })
  expect(wordsOf(form, 'description')).toBe('empty')
})

test('each option differs by itself, and is said in words', () => {
  const options = {
    ...form.options,
    toolChoice: 'required' as const,
    noFallbackOn: ['auth' as const],
    outputSchema: { type: 'object' },
  }
  const differences = diffConfigurations(form, { ...form, options })
  expect(differences).toEqual([
    {
      type: 'value',
      field: 'toolChoice',
      label: 'Tool choice',
      before: 'model’s default',
      after: 'Must call a tool',
    },
    {
      type: 'list',
      field: 'noFallbackOn',
      label: 'No fallback after',
      before: [],
      after: ['Key refused'],
    },
    {
      type: 'text',
      field: 'outputSchema',
      label: 'Answer schema',
      before: '',
      after: '{\n  "type": "object"\n}',
    },
  ])
  expect(differingParts({ ...form, options }, differences.slice(0, 1))).toEqual({
    toolChoice: 'required',
  })
})

test('restoring a version leaves the policy as it is, each field of it', () => {
  const old: ConfigurationForm = {
    ...form,
    enabled: false,
    fourEyes: true,
    afterUntrusted: 'refuse',
    memoryInPrompt: true,
    raisedDataClass: 'diagnostics',
    maxRounds: 7,
  }
  expect(restoredDifferences(form, old)).toMatchObject([{ field: 'maxRounds', after: '7' }])
})

test('notes in the prompt are a difference like any other', () => {
  const on = { ...form, memoryInPrompt: true }
  expect(diffConfigurations(form, on)).toEqual([
    {
      type: 'value',
      field: 'memoryInPrompt',
      label: 'Notes in the prompt',
      before: wordsOf(form, 'fourEyes'),
      after: wordsOf({ ...form, fourEyes: true }, 'fourEyes'),
    },
  ])
})

test('names may change, groups have no order, chains and skills have one', () => {
  const both = [
    { id: 'a', name: 'A' },
    { id: 'b', name: 'B' },
  ]
  const [a, b] = both.map((each) => ({ ...each, enabled: true, connection: 'Near' }))
  if (!a || !b) throw new Error('There are two.')
  const renamed = { ...form, model: { ...model, name: 'New name' } }
  expect(diffConfigurations(form, renamed)).toEqual([])
  const fieldsOf = (part: Partial<ConfigurationForm>, other: Partial<ConfigurationForm>) =>
    diffConfigurations({ ...form, ...part }, { ...form, ...other }).map(({ field }) => field)
  expect(fieldsOf({ groups: both }, { groups: both.toReversed() })).toEqual([])
  expect(fieldsOf({ fallbacks: [a, b] }, { fallbacks: [b, a] })).toEqual(['fallbacks'])
  expect(fieldsOf({ skills: [a, b] }, { skills: [b, a] })).toEqual(['skills'])
  const groups = { allowedToolGroups: ['x', 'y'] }
  expect(fieldsOf(groups, { allowedToolGroups: ['y', 'x'] })).toEqual([])
  expect(fieldsOf({ allowedTools: ['x'] }, { allowedTools: ['x', 'y'] })).toEqual(['allowedTools'])
})

test('a raise goes along to providers that are trusted as much, and to no others', () => {
  const raised = 'diagnostics'
  const chain = (...zones: TrustZone[]) => zones.map((trustZone) => ({ trustZone }))
  const kept = (before: TrustZone[], after: TrustZone[]) =>
    keptRaise(raised, { before: chain(...before), after: chain(...after) })
  expect(kept(['external-eu'], ['external-eu', 'local'])).toBe(raised)
  expect(kept(['external-global'], ['private'])).toBe(raised)
  expect(kept(['private'], ['private', 'external-eu'])).toBeNull()
  expect(keptRaise(null, { before: chain('local'), after: chain('local') })).toBeNull()
})
