import type { Message, WireToolCall } from '@/lib/protocol/message'
import { afterFences, insideFence } from '@/lib/protocol/model-text'
import {
  type SamplePrompt,
  samplePrompts,
  samplePromptsFor,
  toolTestPrompt,
} from '@/lib/protocol/sample-prompts'
import type { ToolSpec } from '@/lib/protocol/tool'
import { isObject } from './json-value'

const mostRows = 5
const mostFields = 4
const label =
  '_This answer was put together by a script: the demo is a built-in stand-in, not a language model. To use one, an admin adds a connection._'

/** Returns what the tools really returned, in words (Markdown); without results, what the demo can do. */
export function demoAnswer(messages: readonly Message[], tools: readonly ToolSpec[]): string {
  const results = messages.flatMap((m) => (m.role === 'tool' ? [readResult(m)] : []))
  const parts = results.length > 0 ? results.map(describe) : withoutResults(messages, tools)
  return [...parts, label].join('\n\n')
}

function withoutResults(messages: readonly Message[], tools: readonly ToolSpec[]): string[] {
  const wanted = sceneOf(messages)?.rounds.flat() ?? []
  const why =
    wanted.length > 0
      ? `For this prompt the demo calls ${namesOf(wanted)}, but this run was offered none of them.`
      : 'The demo does not know this prompt. It knows a few prompts and calls tools for each of them.'
  const prompts = samplePromptsFor(tools.map(({ name }) => name))
  if (prompts.length > 0) {
    const list = prompts.map((each) => `- ${each}`).join('\n')
    return [`${why} With the tools of this run, try one of these:`, list]
  }
  const known = namesOf(samplePrompts.flatMap(({ rounds }) => rounds.flat()))
  return [`${why} It uses ${known}. Pick some of these tools, then an example in the Playground.`]
}

function namesOf(calls: readonly { name: string }[]): string {
  return [...new Set(calls.map(({ name }) => code(name)))].join(', ')
}

/** A tool result as the demo reads it: the JSON inside its wrapping, or the text when there is none. */
type DemoResult = { name: string; isError: boolean; value: unknown; text: string }

function readResult({ name, isError, content }: Extract<Message, { role: 'tool' }>): DemoResult {
  const text = insideFence(content).trim()
  return { name, isError, text, value: jsonInside(text) }
}

function jsonInside(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the rows of a result: the list itself, or the longest list inside an object. */
function rowsOf(value: unknown): Record<string, unknown>[] | null {
  if (Array.isArray(value)) {
    const rows = value.filter(isObject)
    return rows.length > 0 || value.length === 0 ? rows : null
  }
  if (!isObject(value)) return null
  const lists = Object.values(value).filter(Array.isArray)
  const longest = lists.toSorted((a, b) => b.length - a.length)[0]
  return longest ? rowsOf(longest) : null
}

function describe(result: DemoResult): string {
  const name = code(result.name)
  if (result.isError) return `**${name}** gave no result: ${oneLine(result.text, 200)}`
  const rows = rowsOf(result.value)
  if (rows) return describeRows(name, rows)
  if (isObject(result.value)) return `**${name}** says:\n\n${fieldLines(result.value)}`
  return `**${name}** says: ${oneLine(result.text, 400)}`
}

function describeRows(name: string, rows: readonly Record<string, unknown>[]): string {
  if (rows.length === 0) return `**${name}** found nothing.`
  const lines = rows.slice(0, mostRows).map((row) => `- ${rowLine(row)}`)
  const more = rows.length > mostRows ? [`- and ${rows.length - mostRows} more`] : []
  return [`**${name}** returned ${count(rows.length)}${tally(rows)}.`, '', ...lines, ...more].join(
    '\n',
  )
}

function count(rows: number): string {
  return rows === 1 ? 'one entry' : `${rows} entries`
}

/** Returns how many entries have each value of the first field with few values, in words; "" when there is none. */
function tally(rows: readonly Record<string, unknown>[]): string {
  if (rows.length < 3) return ''
  for (const field of Object.keys(rows[0] ?? {})) {
    const counts = new Map<string, number>()
    for (const row of rows) {
      const value = row[field]
      if (typeof value === 'string' && value.length <= 20)
        counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    if (counts.size < 1 || counts.size > 4 || counts.size === rows.length) continue
    const shares = [...counts].map(([value, times]) => `${times} ${code(value)}`)
    return ` (${field}: ${shares.join(', ')})`
  }
  return ''
}

function rowLine(row: Record<string, unknown>): string {
  const shown = Object.entries(row).filter(([, value]) => isTellable(value))
  return shown
    .slice(0, mostFields)
    .map(([field, value]) => `${field} ${tell(value)}`)
    .join(', ')
}

function fieldLines(value: Record<string, unknown>): string {
  const shown = Object.entries(value).filter(([, item]) => isTellable(item) || isObject(item))
  const lines = shown.slice(0, 10).map(([field, item]) => {
    return `- ${field}: ${isObject(item) ? rowLine(item) : tell(item)}`
  })
  return shown.length > 10
    ? [...lines, `- and ${shown.length - 10} more`].join('\n')
    : lines.join('\n')
}

function isTellable(value: unknown): boolean {
  if (Array.isArray(value))
    return value.length > 0 && value.every((item) => typeof item === 'string')
  return (
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    (typeof value === 'string' && value !== '')
  )
}

function tell(value: unknown): string {
  return Array.isArray(value)
    ? value.map((item) => code(String(item))).join(' ')
    : code(String(value))
}

/** Returns untrusted text, such as a result, as code: it cannot become links, headings or emphasis. */
function code(text: string): string {
  return `\`${text
    .replace(/[`\s]+/g, ' ')
    .trim()
    .slice(0, 120)}\``
}

function oneLine(text: string, most: number): string {
  return code(text.slice(0, most))
}

const script: readonly SamplePrompt[] = [
  ...samplePrompts,
  { prompt: toolTestPrompt, rounds: [[{ name: 'report_number', args: { number: 7 } }]] },
]

const byWords = new Map(script.map((scene) => [wordsOf(scene.prompt), scene]))

/** Longer prompts are in no script, and are not read to find that out. */
const longestPrompt = 2 * Math.max(...script.map(({ prompt }) => prompt.length))

/** Returns what the demo does for the prompt of a conversation; undefined when its script does not have the prompt. */
function sceneOf(messages: readonly Message[]): SamplePrompt | undefined {
  // Skills stand in front of the prompt; the demo reads what the person asks alone.
  const prompt = afterFences(messages.find((message) => message.role === 'user')?.text ?? '')
  return prompt.length <= longestPrompt ? byWords.get(wordsOf(prompt)) : undefined
}

/** Returns the calls of the next round, of tools that are offered; none = it is time to answer. */
export function nextDemoCalls(
  messages: readonly Message[],
  tools: readonly ToolSpec[],
): WireToolCall[] {
  const offered = new Set(tools.map(({ name }) => name))
  const rounds = (sceneOf(messages)?.rounds ?? [])
    .map((calls) => calls.filter(({ name }) => offered.has(name)))
    .filter((calls) => calls.length > 0)
  const done = messages.filter((m) => m.role === 'assistant' && m.toolCalls.length > 0).length
  return (rounds[done] ?? []).map(({ name, args }) => ({
    id: null,
    name,
    argumentsText: JSON.stringify(args),
  }))
}

/** Returns the words of a prompt, in lower case and without what separates them. */
function wordsOf(prompt: string): string {
  return (prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
}
