import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ModelEvent, ModelFinish } from '@/lib/protocol/model/message'
import { finish } from '@/tests/support/scripted-model'
import { readTextCalls } from './prompted-mode'

const tag = '<tool_call>{"name":"look","args":{"n":1}}</tool_call>'
const look = { id: null, name: 'look', argumentsText: '{"n":1}' }

type Read = { text: string; drafts: string; finish: ModelFinish }

/** Reads an answer that arrives in these pieces. */
async function read(
  pieces: readonly string[],
  fields: Partial<ModelFinish> = {},
  before: ModelEvent[] = [],
): Promise<Read> {
  async function* events(): AsyncGenerator<ModelEvent> {
    yield* before
    for (const text of pieces) yield { type: 'text-delta', text }
    yield finish({ text: pieces.join(''), ...fields })
  }
  const seen = { text: '', drafts: '' }
  for await (const event of readTextCalls(events())) {
    if (event.type === 'text-delta') seen.text += event.text
    if (event.type === 'tool-call-delta') seen.drafts += event.argumentsText
    if (event.type === 'finish') return { ...seen, finish: event }
  }
  throw new Error('The stream has no finish.')
}

type Row = [
  words: string,
  answer: string,
  shown: string,
  fault: NonNullable<ModelFinish['inText']>['fault'] | 'none',
  call?: object,
]

const rows: Row[] = [
  ['no tag', 'Just an answer.', 'Just an answer.', 'none'],
  ['a tag alone', tag, '', null, look],
  ['text in front', `Let me look.\n\n${tag}`, 'Let me look.', null, look],
  ['text behind', `Let me look. ${tag} It says 42.`, 'Let me look.', null, look],
  ['a fence around it', `Look:\n\`\`\`json\n${tag}\n\`\`\`\n`, 'Look:', null, look],
  [
    'a fence inside',
    '<tool_call>\n```json\n{"name":"look","args":{"n":1}}\n```\n</tool_call>',
    '',
    null,
    look,
  ],
  ['two tags', `${tag}${tag.replace('look', 'other')}`, '', null, look],
  [
    'white space and lines inside',
    '<tool_call>\n { "name" : "look",\n "args" : {"n": 1} }\n</tool_call>',
    '',
    null,
    look,
  ],
  [
    'the name of other models for args',
    '<tool_call>{"arguments":{"n":1},"name":"look"}</tool_call>',
    '',
    null,
    look,
  ],
  ['no args', '<tool_call>{"name":"look"}</tool_call>', '', null, { ...look, argumentsText: '{}' }],
  [
    'an unknown tool',
    '<tool_call>{"name":"nope","args":{}}</tool_call>',
    '',
    null,
    { name: 'nope' },
  ],
  ['bad JSON', 'Hm. <tool_call>{"name":"look","args":{"n":</tool_call>', 'Hm.', 'bad_json'],
  [
    'half JSON that a repair would finish',
    '<tool_call>{"name":"look","args":{"n":1}</tool_call>',
    '',
    'bad_json',
  ],
  ['nothing inside', '<tool_call></tool_call>', '', 'bad_json'],
  ['a list', '<tool_call>["look"]</tool_call>', '', 'not_an_object'],
  ['null', '<tool_call>null</tool_call>', '', 'not_an_object'],
  ['no name', '<tool_call>{"args":{}}</tool_call>', '', 'missing_name'],
  ['an empty name', '<tool_call>{"name":" ","args":{}}</tool_call>', '', 'missing_name'],
  ['a name that is no text', '<tool_call>{"name":7,"args":{}}</tool_call>', '', 'missing_name'],
  [
    'args that are a list',
    '<tool_call>{"name":"look","args":[]}</tool_call>',
    '',
    'arguments_not_an_object',
    { name: 'look' },
  ],
  [
    'args that are JSON text',
    '<tool_call>{"name":"look","args":"{}"}</tool_call>',
    '',
    'arguments_not_an_object',
  ],
  [
    'args that are null',
    '<tool_call>{"name":"look","args":null}</tool_call>',
    '',
    'arguments_not_an_object',
  ],
  [
    'args under another name',
    '<tool_call>{"name":"look","parameters":{"n":1}}</tool_call>',
    '',
    'unknown_field',
  ],
  [
    'args twice',
    '<tool_call>{"name":"look","args":{},"arguments":{"n":1}}</tool_call>',
    '',
    'unknown_field',
  ],
  ['no closing tag', `Hm. ${tag.slice(0, -1)}`, 'Hm.', 'unclosed_tag'],
  ['a tag in a tag', `<tool_call>${tag}`, '', 'bad_json'],
  [
    'what only looks like a tag',
    'a <tool_calls> b <tool _call> ```',
    'a <tool_calls> b <tool _call> ```',
    'none',
  ],
  [
    'nested beyond what is honest',
    `<tool_call>{"name":"look","args":{"n":${'['.repeat(5_000)}</tool_call>`,
    '',
    'bad_json',
  ],
]

test.each(rows)('%s', async (_words, answer, shown, fault, call = {}) => {
  const whole = await read([answer])
  expect(whole.finish.text).toBe(shown)
  if (fault === 'none') {
    expect(whole.finish).toEqual(finish({ text: answer }))
  } else {
    const { text, inText, toolCalls, finishReason } = whole.finish
    expect(finishReason).toBe('tool-calls')
    expect(inText?.fault).toBe(fault)
    expect(toolCalls).toMatchObject([call])
    expect(text + inText?.tag + inText?.after).toBe(answer)
  }
  expect(whole.text.trimEnd()).toBe(shown)
  expect(whole.text).not.toContain('<tool_call>')
  const bytewise = await read([...answer])
  expect(bytewise).toEqual(whole)
})

test('however an answer is cut into deltas, the same is shown', async () => {
  const parts = fc.constantFrom(
    '<tool_call>',
    '</tool_call>',
    '```',
    '```json\n',
    '`',
    '<',
    '<tool_',
    ' ',
    '\n',
    'a',
    '{"name":"look"}',
  )
  const answers = fc.array(parts, { maxLength: 12 }).map((each) => each.join(''))
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(answers, sizes, async (answer, cuts) => {
      const pieces: string[] = []
      for (let at = 0, n = 0; at < answer.length; n++) {
        const size = cuts[n % cuts.length] ?? 1
        pieces.push(answer.slice(at, at + size))
        at += size
      }
      const whole = await read([answer])
      expect(await read(pieces)).toEqual(whole)
      expect(whole.text).toBe(whole.finish.inText ? whole.finish.text : answer)
    }),
  )
})

test.each(['length', 'cut', 'content-filter'] as const)(
  'R10: a request in an answer that ended by %s does not count, not even a whole one',
  async (finishReason) => {
    for (const answer of [`Hm. ${tag}`, `Hm. ${tag} More`, `Hm. ${tag.slice(0, 20)}`]) {
      const { finish: end } = await read([answer], { finishReason })
      expect(end).toMatchObject({ finishReason, text: 'Hm.', toolCalls: [] })
      expect(end.inText).toBeUndefined()
    }
  },
)

test('a tag in reasoning is no request', async () => {
  const thought: ModelEvent = { type: 'reasoning-delta', text: `Maybe ${tag}` }
  const reasoning = [{ text: `Maybe ${tag}`, signature: null, redacted: false }]
  const { finish: end } = await read(['No.'], { reasoning }, [thought])
  expect(end).toEqual(finish({ text: 'No.', reasoning }))
})

test('a stream that breaks off ends with what had arrived', async () => {
  async function* broken(): AsyncGenerator<ModelEvent> {
    yield { type: 'text-delta', text: 'Hm. <tool_call>{"na' }
    yield {
      type: 'error',
      failure: {
        category: 'connection',
        status: null,
        advice: 'x',
        incidentId: 'i',
        retryAfterMs: null,
      },
    }
  }
  const types: string[] = []
  for await (const event of readTextCalls(broken())) types.push(event.type)
  expect(types).toEqual(['text-delta', 'tool-call-delta', 'error'])
})

test('a server that reads the tags by itself: its first call counts, in the form that was taught', async () => {
  const calls = ['look', 'other'].map((name) => ({
    id: `id-${name}`,
    name,
    argumentsText: '{"n":1}',
  }))
  const deltas = calls.map(
    ({ name, argumentsText }, index): ModelEvent => ({
      type: 'tool-call-delta',
      index,
      name,
      argumentsText,
    }),
  )
  const { finish: end, drafts } = await read(['Hm.'], { toolCalls: calls, native: '[]' }, deltas)
  expect(drafts).toBe('{"n":1}')
  expect(end).toMatchObject({
    text: 'Hm.',
    toolCalls: [look],
    inText: { tag: `\n${tag}`, fault: null },
  })
  expect(end.native).toBeUndefined()
})
