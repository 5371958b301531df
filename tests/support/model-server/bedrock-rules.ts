import { signatureOf, thoughtOf } from './bedrock-frames'
import { outputProblem } from './bedrock-output-rules'

type Json = Record<string, unknown>

const mostCachePoints = 4

/**
 * Returns why the Converse API refuses a request; null = it does not. By its documentation (Amazon Bedrock API
 * Reference: ContentBlock, Message, ToolSpecification, ToolUseBlock; User Guide: "Use a tool", "Prompt caching",
 * "Extended thinking"; read on 2026-11-23): roles that do not alternate, blank text, calls without results, names and
 * ids with other characters, reasoning that was changed or left out, misplaced cache points, and formats of the answer
 * as `outputProblem` says.
 */
export function bedrockProblem(body: Json, modelId = ''): string | null {
  const messages = list(body.messages)
  const config = json(body.toolConfig)
  if (messages.length === 0) return 'The messages field must not be empty.'
  const turns = messages.map(({ role, content }) => ({ role, content: list(content) }))
  for (const [index, { role, content }] of turns.entries()) {
    if (role !== (index % 2 === 0 ? 'user' : 'assistant')) {
      return 'A conversation must alternate between user and assistant roles, and start with user.'
    }
    if (content.length === 0) return `The content field in messages.${index} is empty.`
    const wrong = blockProblem(content) ?? pairProblem(content, turns[index + 1]?.content ?? null)
    if (wrong) return `messages.${index}: ${wrong}`
  }
  const blocks = turns.flatMap(({ content }) => content)
  const usesTools = blocks.some((block) => block.toolUse !== undefined)
  if (usesTools && body.toolConfig === undefined) {
    return 'The toolConfig field must be defined when using toolUse and toolResult content blocks.'
  }
  const tools = list(config.tools)
  const names = tools.flatMap((tool) => (tool.toolSpec ? [String(json(tool.toolSpec).name)] : []))
  if (body.toolConfig !== undefined && names.length === 0) return 'toolConfig.tools is empty.'
  const bad = names.find((name) => !/^[\w-]{1,64}$/.test(name))
  if (bad !== undefined) return `The tool name ${bad} does not satisfy [a-zA-Z0-9_-]+.`
  const points = [...blocks, ...tools, ...list(body.system)].filter((each) => each.cachePoint)
  if (points.length > mostCachePoints) return 'At most 4 cache points are allowed.'
  return outputProblem(body.outputConfig, modelId)
}

function blockProblem(content: Json[]): string | null {
  for (const [index, block] of content.entries()) {
    if (typeof block.text === 'string' && block.text.trim() === '') return 'A text field is blank.'
    const { text, signature } = json(json(block.reasoningContent).reasoningText)
    if (text !== undefined && signature !== signatureOf(String(text))) {
      return 'Invalid signature in a thinking block.'
    }
    const before = content[index - 1]
    if (block.cachePoint !== undefined && (!before || before.reasoningContent !== undefined)) {
      return 'A cache point cannot be inserted here.'
    }
    const use = json(block.toolUse)
    if (block.toolUse !== undefined && !/^[\w.:-]{1,64}$/.test(String(use.toolUseId))) {
      return 'A toolUseId does not satisfy [a-zA-Z0-9_.:-]+.'
    }
    const thought = thoughtOf.get(String(use.toolUseId))
    if (thought !== undefined && !hasThought(content.slice(0, index), thought)) {
      return 'A call came without the thinking block that it was given with.'
    }
  }
  return null
}

function hasThought(content: Json[], thought: string): boolean {
  return content.some((block) => {
    const { text } = json(json(block.reasoningContent).reasoningText)
    return text === thought
  })
}

/** Returns what is wrong unless every call has its result in the next message, and every result its call. */
function pairProblem(content: Json[], next: Json[] | null): string | null {
  const request = idsOf(content, 'toolUse')
  const given = idsOf(next ?? [], 'toolResult')
  if (request.length > 0 && request.some((id) => !given.includes(id))) {
    return 'Expected toolResult blocks for every toolUse block.'
  }
  if (given.some((id) => !request.includes(id)) || new Set(given).size !== given.length) {
    return 'The number of toolResult blocks exceeds the number of toolUse blocks of the previous turn.'
  }
  return null
}

function idsOf(content: Json[], kind: 'toolUse' | 'toolResult'): string[] {
  return content.flatMap((block) => (block[kind] ? [String(json(block[kind]).toolUseId)] : []))
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(json) : []
}

function json(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}
