import type { Message } from '@/lib/protocol/message'
import { insideFence } from '@/lib/protocol/model-text'
import { isObject } from './json-value'

/** A tool result as the demo reads it: the JSON inside its wrapping, or the text when there is none. */
export type DemoResult = { name: string; isError: boolean; value: unknown; text: string }

export function demoResults(messages: readonly Message[]): DemoResult[] {
  return messages.flatMap((message) => (message.role === 'tool' ? [readResult(message)] : []))
}

function readResult({ name, isError, content }: Extract<Message, { role: 'tool' }>): DemoResult {
  const text = insideFence(content).trim()
  return { name, isError, text, value: jsonInside(text) }
}

function jsonInside(text: string): unknown {
  for (const candidate of [text, slice(text, '[', ']'), slice(text, '{', '}')]) {
    try {
      return JSON.parse(candidate)
    } catch {
      // The next candidate may be the whole of it.
    }
  }
  return text
}

function slice(text: string, open: string, close: string): string {
  return text.slice(text.indexOf(open), text.lastIndexOf(close) + 1)
}

/** The rows a result is about: the list itself, or the longest list inside an object. */
export function rowsOf(value: unknown): Record<string, unknown>[] | null {
  if (Array.isArray(value)) {
    const rows = value.filter(isObject)
    return rows.length > 0 || value.length === 0 ? rows : null
  }
  if (!isObject(value)) return null
  const lists = Object.values(value).filter(Array.isArray)
  const longest = lists.toSorted((a, b) => b.length - a.length)[0]
  return longest ? rowsOf(longest) : null
}
