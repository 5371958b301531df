import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  RequestId,
  Transport,
} from '@modelcontextprotocol/client'
import { z } from 'zod'
import { formatCount } from '@/lib/words/format'
import { mostLevels } from '@/lib/words/json-text'
import { answeredBy } from './incoming-message'
import { tooDeep, trafficLimit } from './message-limits'
import { type LogLine, ServerError } from './server-address'

/** Callbacks of a connection: one for a line about each message, one for the error that ends it. */
type Callbacks = {
  log: (line: Omit<LogLine, 'at'>) => void
  onError: (error: ServerError) => void
}

/** Ends the call of one request with a reason. `id` null = of the only open request; with several, nothing is ended. */
export type EndRequest = (id: RequestId | null, why: ServerError) => void

type OpenRequest = { id: RequestId; method: string }

/** Returns the error for a request that the server refused, with what it said. */
function refused(error: JSONRPCErrorResponse['error']): ServerError {
  const words = `The server refused the request (error ${error.code}).`
  return new ServerError('refused', words, '', textOfError(error))
}

/** Returns what a server said in an error, as it came. */
export function textOfError({ message, data }: JSONRPCErrorResponse['error']): string {
  const said = typeof data === 'string' ? data : (JSON.stringify(data) ?? '')
  return `${message}\n${said}`.trim()
}

/**
 * Returns the transport itself, and what ends one of its open requests. What it sends and receives is logged; messages beyond
 * what a server may send, and results with more parts than anybody reads, are not passed on.
 */
export function guarded(
  transport: Transport,
  { log, onError }: Callbacks,
): { transport: Transport; endRequest: EndRequest } {
  const count = trafficLimit()
  /** Requests without an answer. Servers may answer a number as text. */
  const open = new Map<string, OpenRequest>()
  let deliver: Transport['onmessage']
  const openRequest = (id: RequestId | null) => {
    if (id === null && open.size > 1) return undefined
    return id === null ? [...open.values()][0] : open.get(String(id))
  }
  const noteSent = (message: JSONRPCMessage) => {
    if (!('method' in message)) return
    if ('id' in message) open.set(String(message.id), message)
    else if (message.method === 'notifications/cancelled') {
      open.delete(String(message.params?.requestId))
    }
  }
  const answered = (message: JSONRPCMessage): JSONRPCMessage => {
    const requestId = answeredBy(message)
    const request = requestId === undefined ? undefined : openRequest(requestId)
    if (!request) return message
    const { id, method } = request
    open.delete(String(id))
    // The client reads the data of an error itself while it finds out the era.
    if (!('error' in message) || method === 'server/discover') return { ...message, id }
    const { error } = message
    return { ...message, id, error: { ...error, data: { cause: refused(error) } } }
  }
  const endRequest: EndRequest = (input, why) => {
    const { id } = openRequest(input) ?? {}
    if (id === undefined) return
    open.delete(String(id))
    // The client passes the data of an error on as it is; no server can send an error of ours.
    deliver?.({ jsonrpc: '2.0', id, error: { code: -32603, message: '', data: { cause: why } } })
  }
  const proxy = new Proxy(transport, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (name === 'send') {
        return (...[message, options]: Parameters<Transport['send']>) => {
          log({ from: 'toolgate', text: describeMessage(message) })
          noteSent(message)
          return target.send(message, options)
        }
      }
      return typeof value === 'function' ? value.bind(target) : value
    },
    set(target, name, value) {
      if (name !== 'onmessage' || typeof value !== 'function') {
        return Reflect.set(target, name, value, target)
      }
      deliver = value
      const receive: Transport['onmessage'] = (message, extra) => {
        // The client's stream reader may accept an event that this line reader did not recognize.
        if (hasMoreLevels(message, mostLevels)) return onError(tooDeep())
        log({ from: 'server', text: describeMessage(message) })
        const { messages, bytes } = weightOf(message)
        const error = count(messages, bytes) ?? tooManyParts(message)
        if (error) onError(error)
        else value(answered(message), extra)
      }
      return Reflect.set(target, name, receive, target)
    },
  })
  return { transport: proxy, endRequest }
}

/** Returns whether lists and objects stand in each other in more levels than these. */
function hasMoreLevels(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => hasMoreLevels(inner, levels - 1))
}

/** Returns as what a message counts: more than an answer where nobody asked for it, and most where it needs an answer. */
function weightOf(message: unknown): { messages: number; bytes: number } {
  const { method, id } = Described.safeParse(message).data ?? {}
  if (method === undefined) return { messages: 1, bytes: 0 }
  return { messages: id === undefined ? 1 : 20, bytes: 8 * JSON.stringify(message).length }
}

const mostParts = 1_000
const Parts = z.looseObject({ result: z.looseObject({ content: z.array(z.unknown()) }) })

/** Returns the error for a result with too many parts: the client would check each in many ways. */
function tooManyParts(message: unknown): ServerError | null {
  const parts = Parts.safeParse(message).data?.result.content.length ?? 0
  if (parts <= mostParts) return null
  const words = `The server sent a result with more than ${formatCount(mostParts)} parts, so it was stopped.`
  return new ServerError('too-much', words)
}

const Described = z.looseObject({
  method: z.string().optional(),
  id: z.union([z.string(), z.number()]).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
})

/** Returns what a message is, never what it holds: arguments and results may be secrets. The log cuts it. */
function describeMessage(message: unknown): string {
  const { success, data } = Described.safeParse(message)
  if (!success) return 'a message that cannot be read'
  const { method, id, error } = data
  const number = id === undefined ? '' : ` ${id}`
  if (method !== undefined) return `${method}${number}`
  if (error) return `error${number}: ${error.code} ${error.message}`
  return `result${number}`
}
