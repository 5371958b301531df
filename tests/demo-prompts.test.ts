import { expect, test } from 'vitest'
import { demoAnswer } from '@/lib/engines/providers/demo/demo-answer'
import { nextDemoCalls } from '@/lib/engines/providers/demo/demo-script'
import { builtinTools } from '@/lib/engines/tools/builtin/index.generated'
import { judgeToolCall, probeTool } from '@/lib/probes/tool-calling-probe'
import type { Message } from '@/lib/protocol/model/message'
import { samplePrompts, samplePromptsFor, toolTestPrompt } from '@/lib/protocol/sample-prompts'
import type { ToolSpec } from '@/lib/protocol/tool'

/** Tools that an admin of a new site is offered. */
const offer = builtinTools.filter(({ enabledByDefault, needs }) => enabledByDefault && !needs)
const named = (name: string) => offer.filter((tool) => tool.name === name)

const callsFor = (prompt: string, tools: readonly ToolSpec[]) =>
  nextDemoCalls([{ role: 'user', text: prompt }], tools)

test.each(samplePrompts)('the demo calls tools for “$prompt”', ({ prompt, rounds }) => {
  const calls = callsFor(prompt, offer)
  expect(calls.map(({ name }) => name)).toEqual(rounds[0]?.map(({ name }) => name))
  expect(calls.length).toBeGreaterThan(0)
})

test.each(samplePrompts.flatMap(({ rounds }) => rounds.flat()))(
  'the script calls $name as the tool can be called',
  ({ name, args }) => {
    expect(named(name)[0]?.schema.safeParse(args)).toMatchObject({ success: true })
  },
)

test('a prompt that one tool is enough for makes the demo call it', () => {
  for (const { name } of offer) {
    for (const prompt of samplePromptsFor([name])) {
      expect(callsFor(prompt, named(name)).map((call) => call.name)).toEqual([name])
    }
  }
})

test('an admin of a new site has three prompts to begin with, and nobody has one without its tool', () => {
  expect(samplePromptsFor(offer.map(({ name }) => name)).length).toBeGreaterThanOrEqual(3)
  expect(samplePromptsFor(['sing'])).toEqual([])
})

test.each(builtinTools)('asked for $name, the demo calls it as it can be called', (tool) => {
  const [call] = callsFor(`Use the tool ${tool.name}.`, builtinTools)
  expect(call?.name).toBe(tool.name)
  expect(tool.schema.safeParse(JSON.parse(call?.argumentsText ?? ''))).toMatchObject({
    success: true,
  })
})

test.each(builtinTools)('what $name returns stands in the answer of the demo', ({ name }) => {
  const prompt: Message = { role: 'user', text: `Use ${name}` }
  const [call] = nextDemoCalls([prompt], builtinTools)
  const toolCall = { callId: 'c', providerCallId: 'p', name, argumentsText: '{}', ...call }
  const input: Message = { role: 'assistant', text: '', reasoning: [], toolCalls: [toolCall] }
  const result = { role: 'tool', providerCallId: 'p', name, isError: false } as const
  const messages = [prompt, input, { ...result, content: '{"found":"the crane"}' }]
  expect(nextDemoCalls(messages, builtinTools)).toEqual([])
  expect(demoAnswer(messages, builtinTools)).toContain(
    `**\`${name}\`** says:\n\n- found: \`the crane\``,
  )
})

test('the demo passes the tool-calling test', () => {
  const toolCalls = nextDemoCalls([{ role: 'user', text: toolTestPrompt }], [probeTool])
  expect(judgeToolCall({ finishReason: 'tool-calls', toolCalls }).outcome).toBe('confirmed')
})
