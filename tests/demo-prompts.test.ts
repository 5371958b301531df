import { expect, it, test } from 'vitest'
import { examplePrompts } from '@/app/(console)/playground/example-prompts'
import { demoAnswer } from '@/lib/providers/demo-answer'
import { planDemo } from '@/lib/providers/demo-plan'
import { builtinTools } from '@/lib/tools/builtin/index.generated'

/** What an admin of a new site is offered. */
const offer = builtinTools.filter(({ enabledByDefault, needs }) => enabledByDefault && !needs)

const callsFor = (prompt: string) =>
  planDemo([{ role: 'user', text: prompt }], offer).calls.map(({ name }) => name)

it.each(offer.map(({ name }) => name))(
  'a prompt offered because of %s makes the demo call it',
  (name) => {
    const [mine] = examplePrompts([name]).filter((prompt) => !examplePrompts([]).includes(prompt))
    if (mine !== undefined) expect(callsFor(mine)).toContain(name)
  },
)

test('the prompts a new admin sees first each call a tool', () => {
  const prompts = examplePrompts(offer.map(({ name }) => name))
  expect(prompts).toHaveLength(3)
  for (const prompt of prompts) expect(callsFor(prompt)).not.toEqual([])
})

it.each([
  ['Who may sign in here?', 'list_users'],
  ['What can you find out about this installation?', 'get_runtime_info'],
])('%s makes the demo call %s', (prompt, name) => {
  expect(callsFor(prompt)).toEqual([name])
})

test.each([
  'Explain in three sentences what a tool call is.',
  'Which tools can you call in this run, and what is each of them for?',
])('without a tool for it, the demo says what tools are and which were offered: %s', (prompt) => {
  expect(callsFor(prompt)).toEqual([])
  const answer = demoAnswer([{ role: 'user', text: prompt }], offer)
  expect(answer).toContain('A tool call is a request')
  for (const { name } of offer) expect(answer).toContain(`\`${name}\``)
})
