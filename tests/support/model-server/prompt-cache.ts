import { createHash } from 'node:crypto'
import type { ServedRequest } from './scripted-turn'

type Json = Record<string, unknown>
type Block = { tokens: number; isMarked: boolean; hash: string }

/**
 * Documented limits of Anthropic: a shorter beginning is not kept, a request has few marks, and each looks back this
 * far.
 */
const leastTokens = 1024
const mostMarks = 4
const lookBack = 20

/**
 * Keeps and bills beginnings of requests as Anthropic documents it: in the order tools, system, messages, up to each mark.
 * Throws for what Anthropic refuses. Four bytes are a token. Nothing expires.
 */
export function openPromptCache() {
  const kept = new Set<string>()
  return {
    /** Input tokens of a request: all of them, those read from the cache, and those written to it. */
    count: ({ body }: ServedRequest) => {
      const blocks = blocksOf(body)
      const marks = blocks.flatMap(({ isMarked }, index) => (isMarked ? [index] : []))
      if (marks.length > mostMarks) throw new Error(`${marks.length} marks are too many.`)
      const tokensThrough = (index: number) =>
        blocks.slice(0, index + 1).reduce((sum, { tokens }) => sum + tokens, 0)
      const found = marks.flatMap((mark) =>
        Array.from({ length: lookBack }, (_, back) => mark - back).filter((index) =>
          kept.has(blocks[index]?.hash ?? ''),
        ),
      )
      const read = found.length > 0 ? tokensThrough(Math.max(...found)) : 0
      const worth = marks.filter((mark) => tokensThrough(mark) >= leastTokens)
      for (const mark of worth) kept.add(blocks[mark]?.hash ?? '')
      const last = worth.at(-1)
      const written = last === undefined ? 0 : Math.max(0, tokensThrough(last) - read)
      return {
        inputTokens: tokensThrough(blocks.length - 1),
        cachedInputTokens: read,
        cacheWriteTokens: written,
      }
    },
  }
}

function blocksOf(body: Json): Block[] {
  const blocks: Block[] = []
  const add = (place: string, block: unknown) => {
    const { cache_control: mark, ...content } = Object(
      typeof block === 'string' ? { type: 'text', text: block } : block,
    )
    const text = JSON.stringify([place, content])
    const before = blocks.at(-1)?.hash ?? ''
    const hash = createHash('sha256')
      .update(before + text)
      .digest('hex')
    blocks.push({ tokens: Math.ceil(text.length / 4), isMarked: mark !== undefined, hash })
  }
  for (const tool of listOf(body.tools)) add('tools', tool)
  for (const block of listOf(body.system)) add('system', block)
  for (const { role, content } of listOf(body.messages) as Json[]) {
    for (const block of listOf(content)) add(String(role), block)
  }
  return blocks
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined ? [] : [value]
}
