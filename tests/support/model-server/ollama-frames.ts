import type { ServedAnswer } from './scripted-turn'

/** Returns an `/api/chat` stream, one line per frame. A call is one piece without an id, its arguments as an object. */
export function ollamaFrames(answer: ServedAnswer): string[] {
  const frames: string[] = []
  const send = (body: object) =>
    void frames.push(
      `${JSON.stringify({ model: answer.model, created_at: '2026-01-01T00:00:00.000000Z', ...body })}\n`,
    )
  const say = (message: object) => send({ message: { role: 'assistant', ...message }, done: false })
  for (const thinking of answer.reasoning) say({ content: '', thinking })
  for (const content of answer.text) say({ content })
  if (answer.calls.length > 0) {
    say({
      content: '',
      tool_calls: answer.calls.map((call) => ({
        function: { name: call.name, arguments: asObject(call.argumentsText) },
      })),
    })
  }
  const counts = answer.usage && {
    prompt_eval_count: answer.usage.inputTokens,
    eval_count: answer.usage.outputTokens,
  }
  send({
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: answer.finish === 'length' ? 'length' : 'stop',
    total_duration: 1_000_000,
    ...(counts ?? {}),
  })
  return frames
}

/** Returns arguments as an object. This wire can only carry JSON, so other arguments are sent as text. */
function asObject(argumentsText: string): unknown {
  try {
    return JSON.parse(argumentsText)
  } catch {
    return argumentsText
  }
}
