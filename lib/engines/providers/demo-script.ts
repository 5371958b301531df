import type { Message, WireToolCall } from '@/lib/protocol/message'
import { afterFences } from '@/lib/protocol/model-text'
import { samplePrompts, toolTestPrompt } from '@/lib/protocol/sample-prompts'
import type { ToolSpec } from '@/lib/protocol/tool'

/** A call that the demo makes, with its arguments as a model would write them. */
type DemoCall = { name: string; argumentsText: string }

const script = [
  ...samplePrompts,
  { prompt: toolTestPrompt, rounds: [[{ name: 'report_number', args: { number: 7 } }]] },
]

const byWords = new Map(
  script.map(({ prompt, rounds }) => [
    wordsOf(prompt),
    rounds.map((calls) =>
      calls.map(({ name, args }) => ({ name, argumentsText: JSON.stringify(args) })),
    ),
  ]),
)

/** Longer prompts are in no script, and are not read to find that out. */
const longestPrompt = 2 * Math.max(...script.map(({ prompt }) => prompt.length))

type DemoRounds = readonly (readonly DemoCall[])[]

/** Returns the calls that the demo makes for the prompt of a conversation, round by round; none = it does not know it. */
export function demoRounds(messages: readonly Message[]): DemoRounds {
  const prompt = promptOf(messages)
  return scripted(prompt) ?? writtenCalls(prompt)
}

/** Returns what a person asks. Skills stand in front of it. */
function promptOf(messages: readonly Message[]): string {
  return afterFences(messages.find((message) => message.role === 'user')?.text ?? '')
}

function scripted(prompt: string): DemoRounds | undefined {
  return prompt.length <= longestPrompt ? byWords.get(wordsOf(prompt)) : undefined
}

const longestWritten = 20_000
const mostWritten = 20
const writtenCall = /^(\w+)(?:\s+with\s+(\{[\s\S]*\}))?\s*\.?$/i

/** Returns calls that a prompt spells out, `Call NAME with {…}`, each a round of its own; none = it has other words, too. */
function writtenCalls(prompt: string): DemoCall[][] {
  if (prompt.length > longestWritten) return []
  const [before = '', ...parts] = prompt.split(/^[ \t]*call\s+/im)
  const calls = parts.map((part) => writtenCall.exec(part.trim()))
  if (before.trim() !== '' || calls.length > mostWritten || calls.includes(null)) return []
  return calls.map((call) => [{ name: call?.[1] ?? '', argumentsText: call?.[2] ?? '{}' }])
}

/**
 * Returns the calls of the next round; none = it is time to answer. Of a sample prompt they are calls of tools that are offered.
 * What a prompt spells out is called as it is written while any tool is offered: the name may mean one that has an alias.
 */
export function nextDemoCalls(
  messages: readonly Message[],
  tools: readonly ToolSpec[],
): WireToolCall[] {
  if (tools.length === 0) return []
  const prompt = promptOf(messages)
  const offered = new Set(tools.map(({ name }) => name))
  const known = scripted(prompt)
    ?.map((calls) => calls.filter(({ name }) => offered.has(name)))
    .filter((calls) => calls.length > 0)
  const rounds = known ?? writtenCalls(prompt)
  return ofNextRound(rounds, messages)
}

/** Returns the calls of the next round that a prompt spells out, whatever is offered: a gate then says why not. */
export function triedCalls(messages: readonly Message[]): WireToolCall[] {
  return ofNextRound(writtenCalls(promptOf(messages)), messages)
}

function ofNextRound(rounds: DemoRounds, messages: readonly Message[]): WireToolCall[] {
  const done = messages.filter((m) => m.role === 'assistant' && m.toolCalls.length > 0).length
  return (rounds[done] ?? []).map((call) => ({ id: null, ...call }))
}

/** Returns the words of a prompt, in lower case and without what separates them. */
function wordsOf(prompt: string): string {
  return (prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
}
