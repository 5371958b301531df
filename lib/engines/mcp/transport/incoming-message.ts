import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client'
import { parseJSONRPCMessage } from '@modelcontextprotocol/client'

/** An object of the protocol: its optional members, and the members that are such objects or lists of them. */
type Shape = { optional: readonly string[]; parts?: Readonly<Record<string, Shape>> }

const icon: Shape = { optional: ['mimeType', 'sizes', 'theme'] }
const annotations: Shape = { optional: ['audience', 'priority', 'lastModified'] }
const block: Shape = {
  optional: ['annotations', '_meta', 'title', 'description', 'mimeType', 'size', 'icons'],
  parts: { annotations, icons: icon, resource: { optional: ['mimeType', '_meta'] } },
}
const tool: Shape = {
  optional: ['title', 'description', 'icons', 'outputSchema', 'annotations', 'execution', '_meta'],
  parts: {
    icons: icon,
    annotations: {
      optional: ['title', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'],
    },
    execution: { optional: ['taskSupport'] },
  },
}
const changes: Shape = { optional: ['listChanged', 'subscribe'] }
const capabilities: Shape = {
  optional: [
    'experimental',
    'logging',
    'completions',
    'prompts',
    'resources',
    'tools',
    'tasks',
    'extensions',
  ],
  parts: {
    prompts: changes,
    resources: changes,
    tools: changes,
    tasks: { optional: ['list', 'cancel', 'requests'] },
  },
}
const result: Shape = {
  optional: [
    '_meta',
    'content',
    'structuredContent',
    'isError',
    'nextCursor',
    'ttlMs',
    'cacheScope',
    'instructions',
    'resultType',
    'inputRequests',
    'requestState',
  ],
  parts: {
    content: block,
    capabilities,
    serverInfo: {
      optional: ['title', 'icons', 'websiteUrl', 'description'],
      parts: { icons: icon },
    },
  },
}
/** Definitions of older servers stay as they were sent: their hash, with the nulls, is what people accepted. */
const listOfTools: Shape = { ...result, parts: { ...result.parts, tools: tool } }
const params: Shape = { optional: ['_meta', 'total', 'message', 'reason', 'requestId', 'logger'] }
const envelope: Shape = {
  optional: ['id', 'method', 'params', 'result', 'error'],
  parts: { params, error: { optional: ['data'] } },
}

/** Returns a message without the optional members of the protocol that are null, which means absent. All else stays. */
export function withoutNulls(message: unknown): unknown {
  const { result: sent } = isObject(message) ? message : {}
  const isModern = isObject(sent) && 'resultType' in sent
  const shape = isModern ? listOfTools : result
  return stripped(message, { ...envelope, parts: { ...envelope.parts, result: shape } })
}

function stripped(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) return value.map((each) => stripped(each, shape))
  if (!isObject(value)) return value
  const parts = new Map(Object.entries(shape.parts ?? {}))
  const kept = Object.entries(value).flatMap(([name, inner]) => {
    if (inner === null && shape.optional.includes(name)) return []
    const part = parts.get(name)
    return [[name, part ? stripped(inner, part) : inner] as const]
  })
  return Object.fromEntries(kept)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A text that a server sent. `unreadable`: it was meant as an answer and is no message; `id`: of the request that it may
 * answer, null = it does not say. `text`: it is something else, such as a line of a log, and answers nothing.
 */
export type Incoming =
  | { type: 'message'; message: JSONRPCMessage }
  | { type: 'unreadable'; id: RequestId | null }
  | { type: 'text' }

export function readMessage(text: string): Incoming {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    const isMeant = text.trimStart().startsWith('{') && text.includes('"jsonrpc"')
    return isMeant ? { type: 'unreadable', id: null } : { type: 'text' }
  }
  const message = withoutNulls(json)
  try {
    return { type: 'message', message: parseJSONRPCMessage(message) }
  } catch {
    if (!isObject(message)) return { type: 'text' }
    const { id, jsonrpc, method } = message
    const isAnswer = 'result' in message || 'error' in message
    const isMeant = jsonrpc === undefined ? isAnswer && id !== undefined : isAnswer || !method
    if (!isMeant) return { type: 'text' }
    return { type: 'unreadable', id: typeof id === 'string' || typeof id === 'number' ? id : null }
  }
}

/** Returns the request that a message answers; null = an answer that does not say which, undefined = it is no answer. */
export function answeredBy(message: JSONRPCMessage): RequestId | null | undefined {
  return 'method' in message ? undefined : (message.id ?? null)
}

/**
 * Returns whole events of a stream with the data of each replaced by what `read` makes of it; null leaves the event out.
 * Events with a name of their own stay, and so do comments, ids and times.
 */
export function mapEvents(text: string, read: (data: string) => string | null): string {
  const lines: string[] = []
  let data: string | null = null
  let name = ''
  const endEvent = () => {
    const mapped = data === null || (name !== '' && name !== 'message') ? data : read(data)
    if (mapped !== null) lines.push(...mapped.split('\n').map((line) => `data: ${line}`))
    data = null
    name = ''
  }
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [, field, value = ''] = /^(data|event)(?::[ ]?(.*))?$/s.exec(line) ?? []
    if (field === 'data') data = data === null ? value : `${data}\n${value}`
    else if (field === 'event') {
      name = value
      lines.push(line)
    } else {
      if (line === '') endEvent()
      lines.push(line)
    }
  }
  endEvent()
  return lines.join('\n')
}
