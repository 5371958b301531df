import type { CallToolResult } from '@modelcontextprotocol/client'
import type { JsonValue, LeftOut, ToolImage, ToolResult } from '@/lib/protocol/tool'
import { ToolError } from '@/lib/protocol/tool'
import { countOf } from '@/lib/words/format'

/** `hiddenSecrets`: how many secrets of the connection itself were taken out of the result. */
export type CalledTool = CallToolResult & { hiddenSecrets?: number | undefined }

type Block = CallToolResult['content'][number]
type Result = Pick<CallToolResult, 'content' | 'structuredContent'>
const longestLink = 2_000

/**
 * Returns a server's result as that of a tool: text and structured content for the model, images for a model that takes
 * them. What is linked is named and never fetched. `leftOut` is about what the server sent, not about what it knows. Throws
 * ToolError when the server says that its tool failed.
 */
export function readResult(result: CalledTool): ToolResult {
  const { content, structuredContent, isError, hiddenSecrets = 0 } = result
  const blocks = content ?? []
  const texts = blocks.flatMap(textOf)
  if (isError === true) {
    throw new ToolError('tool-failed', texts.join('\n') || 'The tool failed.', true)
  }
  const images = blocks.flatMap(imageOf)
  return {
    content: contentOf(texts, structuredContent),
    ...(images.length > 0 && { images }),
    leftOut: [
      ...partsLeftOut(blocks),
      ...(hiddenSecrets > 0
        ? [
            {
              what: countOf(hiddenSecrets, 'secret'),
              why: 'shown as [secret], since this site sends it to the server',
            },
          ]
        : []),
    ],
  }
}

/** Returns what is not passed on of a result, and why. */
function partsLeftOut(blocks: readonly Block[]): LeftOut[] {
  const count = (type: (block: Block) => boolean) => blocks.filter(type).length
  const files = count((block) => block.type === 'resource' && !('text' in block.resource))
  const links = count(({ type }) => type === 'resource_link')
  const audio = count(({ type }) => type === 'audio')
  return [
    ...(files > 0
      ? [{ what: countOf(files, 'file'), why: 'only files of text are passed on' }]
      : []),
    ...(links > 0
      ? [{ what: `the content of ${countOf(links, 'link')}`, why: 'links are not followed' }]
      : []),
    ...(audio > 0
      ? [{ what: `${countOf(audio, 'piece')} of audio`, why: 'audio is not passed on' }]
      : []),
  ]
}

/** Returns what a result says about why its tool failed. */
export function failureOf({ content, structuredContent: data }: Result): string {
  const texts = (content ?? []).flatMap(textOf)
  const isSaid = data === undefined || saysSame(texts, data) || saysSame(texts, onlyResult(data))
  return [...texts, ...(isSaid ? [] : [JSON.stringify(data)])].join('\n')
}

/** Servers repeat structured content as text for older clients; the model gets it once. */
function contentOf(texts: readonly string[], structured: unknown): JsonValue {
  const text = texts.join('\n')
  if (structured === undefined) return text
  const data: JsonValue = JSON.parse(JSON.stringify(structured))
  const inner = onlyResult(data)
  if (inner !== undefined && saysSame(texts, inner)) return inner
  return text === '' || saysSame(texts, data) ? data : { text, data }
}

/** Returns what stands in `{ result }`, into which FastMCP puts what is no object; undefined = it is something else. */
function onlyResult<T>(data: T): T | undefined {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined
  const [[name, inner] = [], ...more] = Object.entries(data)
  return name === 'result' && more.length === 0 ? inner : undefined
}

/** Returns whether texts are a value: as it is, as its JSON, or one text for each item of it. */
function saysSame(texts: readonly string[], value: unknown): boolean {
  const text = texts.join('\n')
  if (value === undefined) return false
  if (text === value || isSame(text, JSON.stringify(value))) return true
  if (!Array.isArray(value) || value.length !== texts.length) return false
  return value.every((item, at) => {
    const own = texts[at] ?? ''
    return own === item || isSame(own, JSON.stringify(item))
  })
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
