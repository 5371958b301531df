import { isObject } from '@/lib/engines/providers/request/json-value'
import type { Message } from '@/lib/protocol/model/message'
import { insideFence } from '@/lib/protocol/model/model-text'
import { samplePrompts, samplePromptsFor } from '@/lib/protocol/sample-prompts'
import type { ToolSpec } from '@/lib/protocol/tool'
import { withRequired } from './demo-arguments'
import { refusalOf } from './demo-refusal'
import { demoPlan, roundsDone } from './demo-script'

const mostRows = 5
const mostFields = 4
const label =
  '_This answer was put together by a script: the demo is a built-in stand-in, not a language model. To use one, an admin adds a connection._'

/** Returns what the tools really returned, in words (Markdown); without results, what the demo can do. */
export function demoAnswer(messages: readonly Message[], tools: readonly ToolSpec[]): string {
  const results = messages.flatMap((m) => (m.role === 'tool' ? [readResult(m)] : []))
  const parts =
    results.length > 0
      ? [...results.map(describe), ...notDone(messages, tools)]
      : withoutResults(messages, tools)
  return [...parts, label].join('\n\n')
}

/** Returns what each check of a text that did not pass has found. */
export function failedChecks(messages: readonly Message[]): string[] {
  return messages
    .flatMap((m) => (m.role === 'tool' && m.name === 'verify' ? [readResult(m).value] : []))
    .flatMap((value) => (isObject(value) && Array.isArray(value.results) ? value.results : []))
    .flatMap((check) => (isObject(check) && check.passed === false ? [check.evidence] : []))
    .map(String)
}

/** Returns what the prompt asked for besides: what the demo did not understand, and calls for which there was no round left. */
function notDone(messages: readonly Message[], tools: readonly ToolSpec[]): string[] {
  const { rounds, unknown } = demoPlan(messages, tools)
  const left = tools.length > 0 ? [] : rounds.slice(roundsDone(messages)).flat()
  return [
    ...unknown.map((part) => `The demo did not understand this part of the prompt: ${code(part)}.`),
    ...(left.length > 0 ? [`This run had no round left to call ${namesOf(left)}.`] : []),
  ]
}

/** Returns whether a prompt asks for nothing that the demo can do. */
export function isAtALoss(messages: readonly Message[], tools: readonly ToolSpec[]): boolean {
  return demoPlan(messages, tools).rounds.flat().length === 0
}

function withoutResults(messages: readonly Message[], tools: readonly ToolSpec[]): string[] {
  const wanted = demoPlan(messages, tools).rounds.flat()
  const why =
    wanted.length > 0
      ? `For this prompt the demo calls ${namesOf(wanted)}, but this run was offered none of them.`
      : 'The demo does not know this prompt. It understands `Use TOOL {json}` and some plain sentences, one for each call.'
  const prompts = promptsFor(tools)
  if (prompts.length > 0) {
    const list = prompts.map((each) => `- ${each}`).join('\n')
    return [`${why} With the tools of this run, try one of these:`, list]
  }
  const known = namesOf(samplePrompts.flatMap(({ rounds }) => rounds.flat()))
  return [`${why} It uses ${known}. Pick some of these tools, then an example in the Playground.`]
}

const mostWritten = 3

/** Returns the sample prompts for some tools, and how a call of one that no sample uses is written. */
function promptsFor(tools: readonly ToolSpec[]): string[] {
  const known = new Set(
    samplePrompts.flatMap(({ rounds }) => rounds.flat().map(({ name }) => name)),
  )
  const others = tools.filter(({ name }) => !known.has(name))
  const written = (others.length > 0 ? others : tools).slice(0, mostWritten).map(exampleOf)
  return [...samplePromptsFor(tools.map(({ name }) => name)), ...written]
}

const longestExample = 1_000

/** Returns a written call, with a value to replace for each parameter that the tool needs. */
function exampleOf(tool: ToolSpec): string {
  const { args } = withRequired({}, tool)
  return code(`Use ${tool.name} ${JSON.stringify(args)}`, longestExample)
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

/** Returns the rows of a result that names its columns once, each with these names; null = it is no such result. */
function namedRows({ columns, rows }: Record<string, unknown>): Record<string, unknown>[] | null {
  if (!Array.isArray(columns) || !Array.isArray(rows) || !rows.every(Array.isArray)) return null
  return rows.map((row) =>
    Object.fromEntries(columns.map((name, index) => [String(name), row[index]])),
  )
}

/** Returns the rows of a result: the list itself, or the longest list inside an object. */
function rowsOf(value: unknown): Record<string, unknown>[] | null {
  if (Array.isArray(value)) {
    const rows = value.filter(isObject)
    return rows.length > 0 || value.length === 0 ? rows : null
  }
  if (!isObject(value)) return null
  const named = namedRows(value)
  if (named) return named
  const lists = Object.values(value).filter(Array.isArray)
  const longest = lists.toSorted((a, b) => b.length - a.length)[0]
  return longest ? rowsOf(longest) : null
}

function describe(result: DemoResult): string {
  const name = code(result.name)
  if (result.isError) return describeFailure(name, result.text)
  const rows = rowsOf(result.value)
  if (rows) return describeRows(name, rows)
  if (isObject(result.value)) return `**${name}** says:\n\n${fieldLines(result.value)}`
  return `**${name}** says: ${oneLine(result.text, 400)}`
}

/** Says what became of a call that was refused or failed, and where to change what refused it. */
function describeFailure(name: string, text: string): string {
  const refusal = refusalOf(text)
  if (!refusal) return `**${name}** gave no result: ${oneLine(text, 200)}`
  return `**${name}** was not run: ${oneLine(refusal.why, 200)} ${refusal.place}`.trimEnd()
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
function code(text: string, most = 120): string {
  return `\`${text
    .replace(/[`\s]+/g, ' ')
    .trim()
    .slice(0, most)}\``
}

function oneLine(text: string, most: number): string {
  return code(text.slice(0, most))
}
