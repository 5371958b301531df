import { argumentPieces, type ServedAnswer } from './scripted-turn'

const finishReasons = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  'content-filter': 'content_filter',
} as const

/** Returns a Chat Completions stream, one string per event. */
export function openaiFrames(answer: ServedAnswer, includeUsage: boolean): string[] {
  const head = {
    id: `chatcmpl-${answer.id}`,
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: answer.model,
  }
  const frame = (body: object) => `data: ${JSON.stringify({ ...head, ...body })}\n\n`
  const delta = (delta: object, finish_reason: string | null = null) =>
    frame({ choices: [{ index: 0, delta, logprobs: null, finish_reason }] })
  const frames = [delta({ role: 'assistant', content: answer.calls.length > 0 ? null : '' })]
  for (const text of answer.reasoning) frames.push(delta({ reasoning_content: text }))
  for (const text of answer.text) frames.push(delta({ content: text }))
  for (const [index, call] of answer.calls.entries()) {
    const started = { name: call.name, arguments: '' }
    const id = call.id === null ? {} : { id: call.id }
    frames.push(delta({ tool_calls: [{ index, ...id, type: 'function', function: started }] }))
    for (const piece of argumentPieces(call.argumentsText)) {
      frames.push(delta({ tool_calls: [{ index, function: { arguments: piece } }] }))
    }
  }
  frames.push(delta({}, finishReasons[answer.finish]))
  if (includeUsage && answer.usage)
    frames.push(frame({ choices: [], usage: wireUsage(answer.usage) }))
  frames.push('data: [DONE]\n\n')
  return frames
}

function wireUsage(usage: NonNullable<ServedAnswer['usage']>) {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedInputTokens, audio_tokens: 0 },
    ...(usage.cost !== undefined && { cost: usage.cost }),
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens, audio_tokens: 0 },
  }
}
