import type { Message } from '@/lib/protocol/message'
import { afterFences } from '@/lib/protocol/model-text'
import type { ToolSpec } from '@/lib/protocol/tool'
import { type DemoResult, demoResults, rowsOf } from './demo-results'
import { isObject } from './json-value'

const mostRows = 5
const mostFields = 4
const label =
  '_This answer was put together by rules: the demo is a built-in stand-in, not a language model. To use one, an admin adds a connection._'

/** The demo's answer: what the tools really returned, in words (Markdown). */
export function demoAnswer(messages: readonly Message[], tools: readonly ToolSpec[]): string {
  const results = demoResults(messages)
  const parts = results.length > 0 ? results.map(describe) : [withoutResults(messages, tools)]
  return [...parts, label].join('\n\n')
}

function withoutResults(messages: readonly Message[], tools: readonly ToolSpec[]): string {
  const prompt = afterFences(messages.find((message) => message.role === 'user')?.text ?? '')
  if (/\btools?\b/i.test(prompt)) return aboutTools(tools)
  if (tools.length === 0) {
    return 'No tools were offered to this run, so there is nothing to look at. Pick some tools and run the prompt again.'
  }
  const names = tools.map((tool) => code(tool.name)).join(', ')
  return `None of the ${tools.length} tools offered fits this prompt: ${names}. Name what you want to know, for example “show the latest errors in the logs”.`
}

function aboutTools(tools: readonly ToolSpec[]): string {
  const what =
    'A tool call is a request: the model names a function and its arguments, Toolgate decides whether it runs, and the model reads what it returned.'
  if (tools.length === 0) return `${what} No tools were offered to this run.`
  const lines = tools.map(
    ({ name, description }) => `- ${code(name)}: ${firstSentence(description)}`,
  )
  return [what, '', `This run was offered ${tools.length}:`, '', ...lines].join('\n')
}

function firstSentence(description: string): string {
  return oneLine(description.split(/(?<=[.:]) /)[0] ?? '', 200)
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

/** How the entries divide by the first field that has a few values only. */
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
  const told = Object.entries(row).filter(([, value]) => isTellable(value))
  return told
    .slice(0, mostFields)
    .map(([field, value]) => `${field} ${tell(value)}`)
    .join(', ')
}

function fieldLines(value: Record<string, unknown>): string {
  const told = Object.entries(value).filter(([, item]) => isTellable(item) || isObject(item))
  const lines = told.slice(0, 10).map(([field, item]) => {
    return `- ${field}: ${isObject(item) ? rowLine(item) : tell(item)}`
  })
  return told.length > 10
    ? [...lines, `- and ${told.length - 10} more`].join('\n')
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

/** Results are untrusted text: shown as code, they cannot become links, headings or emphasis. */
function code(text: string): string {
  return `\`${text
    .replace(/[`\s]+/g, ' ')
    .trim()
    .slice(0, 120)}\``
}

function oneLine(text: string, most: number): string {
  return code(text.slice(0, most))
}
