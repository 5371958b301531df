import { expect, test } from 'vitest'
import { formatCount } from '@/lib/words/format'
import {
  ConfigurationParameters,
  defaultParameters,
  figureFault,
  inGroups,
  ModelParameter,
  OptionChanges,
  parameterDescriptors,
  parameterList,
  parameterNames,
  parameterSchemas,
  parametersIn,
  parametersThatAreSet,
  parameterText,
  parameterWords,
  readParameter,
  samplingParameters,
  storedParameters,
} from './parameters'

const set: ConfigurationParameters = {
  temperature: 0,
  topP: 0.95,
  maxOutputTokens: 12_000,
  stop: ['END', 'a\nb', 'back\\slash', '\\n'],
  seed: -3,
  reasoningEffort: 'xhigh',
  verbosity: 'low',
  toolChoice: { tool: 'fetch_logs' },
  parallelToolCalls: false,
  serviceTier: 'flex',
  extraBody: { safe_prompt: true, nested: { list: [1, null, 'a'] } },
  promptCaching: false,
  noFallbackOn: ['rate-limited', 'auth'],
  promptedHops: 4,
  outputSchema: { type: 'object' },
}

test('every parameter has a flag of its own and words', () => {
  const flags = parameterDescriptors.map(({ flag }) => flag)
  expect(new Set(flags).size).toBe(flags.length)
  for (const { flag, label, hint, unset } of parameterDescriptors) {
    // The command line reads --no-… as switching something off.
    expect(flag).toMatch(/^--(?!no-)[a-z]+(-[a-z]+)*$/)
    for (const words of [label, hint, unset]) expect(words).not.toBe('')
  }
})

test.each(parameterNames)('%s comes back from its text', (name) => {
  for (const parameters of [set, defaultParameters]) {
    const read = readParameter(name, parameterText(name, parameters))
    expect(parameterSchemas[name].parse(read)).toEqual(parameters[name])
    expect(parameterWords(name, parameters)).not.toBe('')
  }
  expect(readParameter(name, '')).toEqual(defaultParameters[name])
})

test('parameters are stored side by side and come back in the groups of a form', () => {
  const stored = JSON.parse(JSON.stringify(storedParameters(set)))
  expect(stored).toMatchObject({ topP: 0.95, verbosity: 'low', outputSchema: '{"type":"object"}' })
  expect(ConfigurationParameters.parse(stored)).toEqual(set)
  expect(ConfigurationParameters.parse({})).toEqual(defaultParameters)
  const form = inGroups(set)
  expect(form).toMatchObject({ topP: 0.95, options: { verbosity: 'low' } })
  expect(form).not.toHaveProperty('verbosity')
  expect(parametersIn(form)).toEqual(set)
  expect(parametersIn({ seed: 1, options: { verbosity: undefined } })).toEqual({ seed: 1 })
  expect(inGroups({ seed: null })).toEqual({ seed: null })
})

test('says which parameters a model may refuse', () => {
  expect(ModelParameter.options).toEqual([
    'temperature',
    'topP',
    'stop',
    'seed',
    'reasoningEffort',
    'verbosity',
    'toolChoice',
    'parallelToolCalls',
    'serviceTier',
  ])
  expect(samplingParameters).toEqual(['temperature', 'topP'])
})

test('words are no figures, and a figure may be none', () => {
  expect(figureFault('temperature', 'warm')).toBe('Give a number such as 0.7.')
  expect(figureFault('maxOutputTokens', '12.5')).toBe('Give a number such as 4000.')
  expect(figureFault('maxOutputTokens', '12,000')).toBeNull()
  expect(figureFault('temperature', ' ')).toBeNull()
  expect(figureFault('serviceTier', 'flex')).toBeNull()
})

test('parameters are said in words', () => {
  const words = Object.fromEntries(parameterNames.map((name) => [name, parameterWords(name, set)]))
  expect(words).toEqual({
    temperature: '0',
    topP: '0.95',
    maxOutputTokens: formatCount(12_000),
    stop: '"END", "a\\nb", "back\\\\slash", "\\\\n"',
    seed: '-3',
    reasoningEffort: 'Very high',
    verbosity: 'Low',
    toolChoice: 'Must call fetch_logs',
    parallelToolCalls: 'One call at a time',
    serviceTier: 'flex',
    extraBody: '{"safe_prompt":true,"nested":{"list":[1,null,"a"]}}',
    promptCaching: 'off',
    noFallbackOn: 'Too many requests, Key refused',
    promptedHops: '4',
    outputSchema: '{"type":"object"}',
  })
  expect(parameterWords('noFallbackOn', defaultParameters)).toBe('none')
  expect(parameterWords('seed', defaultParameters)).toBe('model’s default')
  expect(parameterList('noFallbackOn', set)).toEqual(['Too many requests', 'Key refused'])
})

test('parameters that are set are those that differ from the usual', () => {
  const some = { ...defaultParameters, promptCaching: false, extraBody: { a: 1 }, topP: 1 }
  expect(parametersThatAreSet(some).map(({ key }) => key)).toEqual([
    'topP',
    'extraBody',
    'promptCaching',
  ])
})

test.each([
  ['temperature', '2.1'],
  ['topP', '0'],
  ['maxOutputTokens', '0'],
  ['seed', '2147483648'],
  ['stop', 'a\nb\nc\nd\ne'],
  ['reasoningEffort', 'much'],
  ['verbosity', 'loud'],
  ['toolChoice', 'tool:'],
  ['toolChoice', 'some'],
  ['parallelToolCalls', 'yes'],
  ['promptCaching', 'maybe'],
  ['promptedHops', '2.5'],
  ['promptedHops', 'two'],
  ['noFallbackOn', 'auth, weather'],
  ['extraBody', '{"half":'],
  ['extraBody', '[1]'],
  ['extraBody', '"text"'],
  ['outputSchema', `${'{"a":'.repeat(51)}1${'}'.repeat(51)}`],
  ['outputSchema', `{"a":"${'x'.repeat(100_000)}"}`],
] as const)('%s is not %s', (name, text) => {
  expect(parameterSchemas[name].safeParse(readParameter(name, text)).success).toBe(false)
})

test('an object deeper than a stack is refused, not followed', () => {
  let deep: object = {}
  for (let level = 0; level < 200_000; level += 1) deep = { deep }
  expect(OptionChanges.safeParse({ extraBody: deep }).success).toBe(false)
})

test('a misspelt option is refused', () => {
  expect(OptionChanges.safeParse({ verbositty: 'low' }).success).toBe(false)
})
