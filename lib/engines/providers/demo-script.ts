import type { Message, WireToolCall } from '@/lib/protocol/message'
import { afterFences } from '@/lib/protocol/model-text'
import { type SamplePrompt, samplePrompts, toolTestPrompt } from '@/lib/protocol/sample-prompts'
import type { ToolSpec } from '@/lib/protocol/tool'

const script: readonly SamplePrompt[] = [
  ...samplePrompts,
  { prompt: toolTestPrompt, rounds: [[{ name: 'report_number', args: { number: 7 } }]] },
]

const byWords = new Map(script.map((scene) => [wordsOf(scene.prompt), scene]))

/** Longer prompts are in no script, and are not read to find that out. */
const longestPrompt = 2 * Math.max(...script.map(({ prompt }) => prompt.length))

/** Returns what the demo does for the prompt of a conversation; undefined when its script does not have the prompt. */
export function sceneOf(messages: readonly Message[]): SamplePrompt | undefined {
  // Skills stand in front of the prompt; the demo reads what the person asks alone.
  const prompt = afterFences(messages.find((message) => message.role === 'user')?.text ?? '')
  return prompt.length <= longestPrompt ? byWords.get(wordsOf(prompt)) : undefined
}

/** Returns the calls of the next round, of tools that are offered; none = it is time to answer. */
export function nextDemoCalls(
  messages: readonly Message[],
  tools: readonly ToolSpec[],
): WireToolCall[] {
  const offered = new Set(tools.map(({ name }) => name))
  const rounds = (sceneOf(messages)?.rounds ?? [])
    .map((calls) => calls.filter(({ name }) => offered.has(name)))
    .filter((calls) => calls.length > 0)
  const done = messages.filter((m) => m.role === 'assistant' && m.toolCalls.length > 0).length
  return (rounds[done] ?? []).map(({ name, args }) => ({
    id: null,
    name,
    argumentsText: JSON.stringify(args),
  }))
}

/** The words of a prompt, whatever their case and whatever stands between them. */
function wordsOf(prompt: string): string {
  return (prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
}
