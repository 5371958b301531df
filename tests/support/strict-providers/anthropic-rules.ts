import { isDeepStrictEqual } from 'node:util'
import { type Json, listOf } from './strict-provider'

/**
 * Returns why the Messages API refuses a request; null = it does not: answers that are not sent back unchanged, calls
 * without results directly after them, blank text, tool blocks without tools. `given` = the content of each answer so
 * far. From https://platform.claude.com/docs/build-with-claude/thinking-tool-workflows and the types of
 * @anthropic-ai/sdk 1.12.0 (2026-11-23).
 */
export function anthropicRefusal(body: Json, given: readonly Json[][]): string | null {
  const messages = listOf(body.messages)
  return (
    limitRefusal(body) ??
    firstOf(messages, (message, at) => messageRefusal(message, `messages.${at}`)) ??
    firstOf(messages, (_, at) => pairRefusal(messages, at)) ??
    markRefusal(body, messages) ??
    toolsRefusal(body, messages) ??
    echoRefusal(messages, given)
  )
}

function firstOf(
  items: readonly Json[],
  refusal: (item: Json, at: number) => string | null,
): string | null {
  for (const [at, item] of items.entries()) {
    const why = refusal(item, at)
    if (why !== null) return why
  }
  return null
}

function limitRefusal({ max_tokens, thinking, messages }: Json): string | null {
  if (typeof max_tokens !== 'number') return 'max_tokens: Field required'
  const budget = (thinking as Json | undefined)?.budget_tokens
  if (typeof budget === 'number' && budget >= max_tokens) {
    return '`max_tokens` must be greater than `thinking.budget_tokens`.'
  }
  return listOf(messages)[0]?.role === 'user' ? null : 'messages: first message must use "user"'
}

/** The blocks that a message of each role may have. */
const kinds: Record<string, readonly string[]> = {
  user: ['text', 'image', 'document', 'tool_result'],
  assistant: [
    'text',
    'thinking',
    'redacted_thinking',
    'tool_use',
    'server_tool_use',
    'web_search_tool_result',
  ],
}

function messageRefusal({ role, content }: Json, place: string): string | null {
  if (typeof content === 'string') return textRefusal(content, place)
  const blocks = listOf(content)
  if (blocks.length === 0) return `${place}: content is empty`
  return firstOf(blocks, (block, at) => {
    const own = `${place}.content.${at}`
    if (!kinds[String(role)]?.includes(String(block.type))) {
      return `${own}: ${String(role)} messages cannot contain ${String(block.type)}`
    }
    if (block.type === 'text') return textRefusal(String(block.text), own)
    const inside = listOf(block.type === 'tool_result' ? block.content : [])
    if (inside.some(({ type }) => type !== 'text' && type !== 'image')) {
      return `${own}.content: a result has text and images`
    }
    if (block.type === 'thinking' && !block.signature) return `${own}.signature: Field required`
    const id = block.type === 'tool_use' ? block.id : block.tool_use_id
    if (id !== undefined && !/^[a-zA-Z0-9_-]+$/.test(String(id))) {
      return `${own}: the id should match pattern '^[a-zA-Z0-9_-]+$'`
    }
    return null
  })
}

function textRefusal(text: string, place: string): string | null {
  return text.trim() === '' ? `${place}: text content blocks must be non-empty` : null
}

/** Results stand at the beginning of the message directly after their calls, all of them and no others. */
function pairRefusal(messages: readonly Json[], at: number): string | null {
  const request = idsOf(messages[at - 1], 'tool_use', 'id')
  const blocks = listOf(messages[at]?.content)
  const answered = idsOf(messages[at], 'tool_result', 'tool_use_id')
  const leading = blocks.slice(0, answered.length)
  if (leading.some((block) => block.type !== 'tool_result')) {
    return `messages.${at}: tool_result blocks must come first`
  }
  const missing = request.filter((id) => !answered.includes(id))
  if (missing.length > 0) {
    return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}`
  }
  const strange = answered.filter((id) => !request.includes(id))
  if (strange.length > 0) {
    return `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${strange.join(', ')}`
  }
  const isLast = at === messages.length - 1
  const open = isLast ? idsOf(messages[at], 'tool_use', 'id') : []
  return open.length > 0 ? `messages.${at}: \`tool_use\` without a message after it` : null
}

function idsOf(message: Json | undefined, type: string, field: string): string[] {
  return listOf(message?.content)
    .filter((block) => block.type === type)
    .map((block) => String(block[field]))
}

function markRefusal(body: Json, messages: readonly Json[]): string | null {
  const blocks = messages.flatMap((message) => listOf(message.content))
  const isMarked = (block: Json) => block.cache_control !== undefined
  if (blocks.some((block) => String(block.type).includes('thinking') && isMarked(block))) {
    return 'thinking blocks cannot have cache_control'
  }
  const marks = [...listOf(body.system), ...listOf(body.tools), ...blocks].filter(isMarked)
  return marks.length > 4 ? 'A maximum of 4 blocks with cache_control may be provided.' : null
}

function toolsRefusal(body: Json, messages: readonly Json[]): string | null {
  const uses = messages.flatMap((message) => listOf(message.content)).some(isOfTools)
  return uses && listOf(body.tools).length === 0
    ? 'Requests which include `tool_use` or `tool_result` blocks must define tools'
    : null
}

function isOfTools({ type }: Json): boolean {
  return type === 'tool_use' || type === 'tool_result'
}

/** Returns why an answer with calls is refused unless it goes back with its reasoning, unchanged and in its place. */
function echoRefusal(messages: readonly Json[], given: readonly Json[][]): string | null {
  for (const answer of given) {
    const ids = answer.filter((block) => block.type === 'tool_use').map((block) => block.id)
    const echo = messages.find((message) =>
      idsOf(message, 'tool_use', 'id').some((id) => ids.includes(id)),
    )
    if (!echo || !answer.some(isThinking)) continue
    if (!isDeepStrictEqual(listOf(echo.content).map(bound), answer.map(bound))) {
      return 'messages: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.'
    }
  }
  return null
}

function isThinking({ type }: Json): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

/** Returns the part of a block that must not change: all of the reasoning, and the place of everything else. */
function bound(block: Json): Json {
  const { cache_control: _mark, ...own } = block
  return isThinking(block) ? own : { type: block.type, id: block.id }
}
