import { isDeepStrictEqual } from 'node:util'
import { type Json, listOf } from './strict-provider'

/** Returns the refusal of a Chat Completions server, or null. `given`: the message of each answer so far. */
type ChatRule = (message: Json, given: Json, place: string) => string | null

/** Holds every answer with calls that comes back to a rule, and every call to have its result after it, as text. */
export function chatRefusal(body: Json, given: readonly Json[], rule: ChatRule): string | null {
  const messages = listOf(body.messages)
  for (const [at, message] of messages.entries()) {
    const place = `messages[${at}]`
    if (message.role === 'tool' && typeof message.content !== 'string') {
      return `${place}.content: tool messages are text`
    }
    if (message.role !== 'assistant') continue
    const ids = listOf(message.tool_calls).map((call) => call.id)
    const after = messages.slice(at + 1, at + 1 + ids.length)
    const answered = after.map((result) => (result.role === 'tool' ? result.tool_call_id : null))
    if (!isDeepStrictEqual(new Set(answered), new Set(ids))) {
      return `${place}: tool_calls must be followed by tool messages for each tool_call_id`
    }
    const own = given.find((answer) => listOf(answer.tool_calls)[0]?.id === ids[0])
    const why = own && ids.length > 0 ? rule(message, own, place) : null
    if (why !== null) return why
  }
  return null
}

/** Refuses by https://ai.google.dev/gemini-api/docs/thought-signatures (2026-11-23). */
export const geminiRule: ChatRule = (message, given, place) =>
  same(signaturesOf(message), signaturesOf(given))
    ? null
    : `${place}: Function call is missing a thought_signature in functionCall parts.`

function signaturesOf(message: Json): unknown[] {
  return listOf(message.tool_calls).map((call) => call.extra_content)
}

/** Refuses by https://openrouter.ai/docs/use-cases/reasoning-tokens (2026-11-23). */
export const openRouterRule: ChatRule = (message, given, place) =>
  same(message.reasoning_details, given.reasoning_details)
    ? null
    : `${place}: the sequence of reasoning blocks must match the outputs of the model`

/** Refuses content parts that differ from mistralai/client-ts docs/models/components/thinkchunk.md (2026-11-23). */
export const mistralRule: ChatRule = (message, given, place) => {
  const ids = listOf(message.tool_calls).map((call) => String(call.id))
  if (ids.some((id) => !/^[a-zA-Z0-9]{9}$/.test(id))) {
    return `${place}: Tool call id must be a-z, A-Z, 0-9, with a length of 9.`
  }
  return same(message.content, given.content) ? null : `${place}: thinking is missing`
}

/** Servers that think between calls want the text of it back beside the calls. */
export const reasoningContentRule: ChatRule = (message, given, place) =>
  message.reasoning_content === given.reasoning_content
    ? null
    : `${place}: Missing \`reasoning_content\` field in the assistant message`

function same(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b)
}
