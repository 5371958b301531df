import type { Message, WireToolCall } from '@/lib/protocol/model/message'
import { afterFences } from '@/lib/protocol/model/model-text'
import { samplePrompts, toolTestPrompt } from '@/lib/protocol/sample-prompts'
import type { ToolSpec } from '@/lib/protocol/tool'
import { type RoleTask, roleTask } from './demo-envelope'
import { understand } from './demo-understand'

/**
 * A call that the demo makes, with its arguments as a model would write them. `filled`: those that the prompt did not give; left out
 * = it gave all.
 */
type DemoCall = { name: string; argumentsText: string; filled?: readonly string[] }

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

/** Plan of the demo for one prompt: calls, round by round, and the parts of the prompt that ask for none. */
type DemoPlan = { rounds: DemoRounds; unknown: readonly string[] }

/** Returns what the demo makes of the prompt of a conversation. Of a sample prompt it calls what is offered. */
export function demoPlan(messages: readonly Message[], tools: readonly ToolSpec[]): DemoPlan {
  const { task: prompt, proposal } = promptOf(messages)
  const known = scripted(prompt)
  if (known) return { rounds: known, unknown: [] }
  const { calls, unknown } = understand(prompt, tools, proposal)
  return { rounds: calls.map((call) => [call]), unknown: calls.length > 0 ? unknown : [] }
}

/** Returns how many rounds of a conversation called tools. */
export function roundsDone(messages: readonly Message[]): number {
  return messages.filter((m) => m.role === 'assistant' && m.toolCalls.length > 0).length
}

/** Returns the messages of the newest turn: from the last prompt on, which follows an answer. */
export function newestTurn(messages: readonly Message[]): readonly Message[] {
  const at = messages.findLastIndex((message, place) => {
    const before = messages[place - 1]
    const isAnswered = before?.role === 'assistant' && before.toolCalls.length === 0
    return message.role === 'user' && (isAnswered || before === undefined)
  })
  return messages.slice(Math.max(0, at))
}

/** Returns what a person asks. Skills stand in front of it, and what other roles wrote behind it. */
export function promptOf(messages: readonly Message[]): RoleTask {
  return roleTask(afterFences(messages.find((message) => message.role === 'user')?.text ?? ''))
}

function scripted(prompt: string): DemoRounds | undefined {
  return prompt.length <= longestPrompt ? byWords.get(wordsOf(prompt)) : undefined
}

/**
 * Returns the calls of the next round; none = it is time to answer. Of a sample prompt they are calls of tools that are offered.
 * What a prompt asks for is called while there is a tool on offer: the name may mean one that has an alias, and of one that is not
 * offered, its gate says why. `isTry`: also when no tool is offered.
 */
export function nextDemoCalls(
  messages: readonly Message[],
  tools: readonly ToolSpec[],
  isTry = false,
): DemoCallOfRound[] {
  if (tools.length === 0 && !isTry) return []
  const offered = new Set(tools.map(({ name }) => name))
  const known = scripted(promptOf(messages).task)
    ?.map((calls) => calls.filter(({ name }) => offered.has(name)))
    .filter((calls) => calls.length > 0)
  const rounds = known ?? demoPlan(messages, tools).rounds
  return (rounds[roundsDone(messages)] ?? []).map((call) => ({ id: null, ...call }))
}

type DemoCallOfRound = WireToolCall & Pick<DemoCall, 'filled'>

/** Returns the words of a prompt, in lower case and without what separates them. */
function wordsOf(prompt: string): string {
  return (prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
}
