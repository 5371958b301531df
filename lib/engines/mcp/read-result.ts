import type { CallToolResult } from '@modelcontextprotocol/client'
import type { JsonValue, ToolImage, ToolResult } from '@/lib/protocol/tool'
import { ToolError } from '@/lib/protocol/tool'

type Block = CallToolResult['content'][number]
const longestLink = 2_000

/**
 * Returns a server's result as that of a tool: text and structured content for the model, images for a model that takes
 * them. What is linked is named and never fetched. Throws ToolError when the server says that its tool failed.
 */
export function readResult({ content, structuredContent, isError }: CallToolResult): ToolResult {
  const blocks = content ?? []
  const texts = blocks.flatMap(textOf)
  if (isError === true) {
    throw new ToolError('tool-failed', texts.join('\n').slice(0, 4_000) || 'The tool failed.')
  }
  const images = blocks.flatMap(imageOf)
  return {
    content: contentOf(texts, structuredContent),
    ...(images.length > 0 && { images }),
  }
}

/** Servers repeat structured content as text for older clients; the model gets it once. */
function contentOf(texts: readonly string[], structured: unknown): JsonValue {
  const text = texts.join('\n')
  if (structured === undefined) return text
  const json = JSON.stringify(structured)
  const data: JsonValue = JSON.parse(json)
  return text === '' || isSame(text, json) ? data : { text, data }
}

function isSame(text: string, json: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === json
  } catch {
    return false
  }
}

function textOf(block: Block): string[] {
  switch (block.type) {
    case 'text':
      return [block.text]
    case 'resource':
      return 'text' in block.resource
        ? [block.resource.text]
        : [
            `[A file of ${bytesOf(block.resource.blob)} bytes: ${block.resource.uri.slice(0, longestLink)}]`,
          ]
    case 'resource_link':
      return [`[${block.name.slice(0, 200)}: ${block.uri.slice(0, longestLink)}]`]
    case 'audio':
      return [
        `[Audio of ${bytesOf(block.data)} bytes (${block.mimeType.slice(0, 100)}) was left out.]`,
      ]
    case 'image':
      return []
    default:
      return block satisfies never
  }
}

function imageOf(block: Block): ToolImage[] {
  if (block.type !== 'image') return []
  return [{ data: new Uint8Array(Buffer.from(block.data, 'base64')) }]
}

function bytesOf(base64: string): number {
  return Math.floor((base64.length * 3) / 4)
}
