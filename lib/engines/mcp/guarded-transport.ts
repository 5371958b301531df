import type { Transport } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { formatCount } from '@/lib/protocol/format'
import { mostLevels } from '@/lib/protocol/json-text'
import { tooDeep, trafficLimit } from './message-limits'
import { type LogLine, ServerTrouble } from './server-address'

/** What is told of a connection: a line for each message, and what ends it. */
type Told = {
  log: (line: Omit<LogLine, 'at'>) => void
  onTrouble: (trouble: ServerTrouble) => void
}

/**
 * Returns the transport itself. What it sends and receives is logged; messages beyond what a server may send, and results
 * with more parts than anybody reads, are not passed on.
 */
export function guarded(transport: Transport, { log, onTrouble }: Told): Transport {
  const count = trafficLimit()
  return new Proxy(transport, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (name === 'send') {
        return (...[message, options]: Parameters<Transport['send']>) => {
          log({ from: 'toolgate', text: describeMessage(message) })
          return target.send(message, options)
        }
      }
      return typeof value === 'function' ? value.bind(target) : value
    },
    set(target, name, value) {
      if (name !== 'onmessage' || typeof value !== 'function') {
        return Reflect.set(target, name, value, target)
      }
      const receive: Transport['onmessage'] = (message, extra) => {
        // What is read of a stream may begin where no line of it seemed to.
        if (hasMoreLevels(message, mostLevels)) return onTrouble(tooDeep())
        log({ from: 'server', text: describeMessage(message) })
        const { messages, bytes } = weightOf(message)
        const trouble = count(messages, bytes) ?? tooManyParts(message)
        if (trouble) onTrouble(trouble)
        else value(message, extra)
      }
      return Reflect.set(target, name, receive, target)
    },
  })
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
function tooManyParts(message: unknown): ServerTrouble | null {
  const parts = Parts.safeParse(message).data?.result.content.length ?? 0
  if (parts <= mostParts) return null
  const words = `The server sent a result with more than ${formatCount(mostParts)} parts, so it was stopped.`
  return new ServerTrouble('too-much', words)
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
