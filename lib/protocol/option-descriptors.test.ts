import { expect, test } from 'vitest'
import { ConfigurationOptions, defaultOptions, OptionChanges } from './configuration-options'
import {
  optionDescriptors,
  optionList,
  optionNames,
  optionsThatAreSet,
  optionText,
  optionWords,
  readOption,
} from './option-descriptors'

const set: ConfigurationOptions = {
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

test('every option is described once, with a flag of its own', () => {
  expect([...optionNames].toSorted()).toEqual(Object.keys(ConfigurationOptions.shape).toSorted())
  const flags = optionDescriptors.map(({ flag }) => flag)
  expect(new Set(flags).size).toBe(flags.length)
  for (const { flag, label, hint, unset } of optionDescriptors) {
    // The command line reads --no-… as switching something off.
    expect(flag).toMatch(/^--(?!no-)[a-z]+(-[a-z]+)*$/)
    for (const words of [label, hint, unset]) expect(words).not.toBe('')
  }
})

test.each(optionNames)('%s comes back from its text', (name) => {
  for (const options of [set, defaultOptions]) {
    const read = OptionChanges.shape[name].parse(readOption(name, optionText(name, options)))
    expect(read).toEqual(options[name])
    expect(optionWords(name, options)).not.toBe('')
  }
  expect(readOption(name, 'default')).toEqual(defaultOptions[name])
})

test('options are said in words', () => {
  const words = Object.fromEntries(optionNames.map((name) => [name, optionWords(name, set)]))
  expect(words).toEqual({
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
  expect(optionWords('noFallbackOn', defaultOptions)).toBe('none')
  expect(optionList('noFallbackOn', set)).toEqual(['Too many requests', 'Key refused'])
})

test('options that are set are those that differ from the default', () => {
  const some = { ...defaultOptions, promptCaching: false, extraBody: { a: 1 } }
  expect(optionsThatAreSet(some).map(({ key }) => key)).toEqual(['extraBody', 'promptCaching'])
})

test.each([
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
  expect(OptionChanges.shape[name].safeParse(readOption(name, text)).success).toBe(false)
})

test('an object deeper than a stack is refused, not followed', () => {
  let deep: object = {}
  for (let level = 0; level < 200_000; level += 1) deep = { deep }
  expect(OptionChanges.safeParse({ extraBody: deep }).success).toBe(false)
})

test('a misspelt option is refused', () => {
  expect(OptionChanges.safeParse({ verbositty: 'low' }).success).toBe(false)
})
