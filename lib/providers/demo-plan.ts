import type { Message } from '@/lib/protocol/message'
import type { WireToolCall } from '@/lib/protocol/model-event'
import { afterFences } from '@/lib/protocol/model-text'
import type { ToolSpec } from '@/lib/protocol/tool'
import { demoArguments, type PromptFacts, promptFacts } from './demo-arguments'
import { demoResults, rowsOf } from './demo-results'
import { isObject, listAt, objectAt } from './json-value'

/** Tools to ask for now, and why, in one sentence. No calls = answer. */
export type DemoPlan = { why: string; calls: WireToolCall[] }

const mostCalls = 3
const mostRounds = 3

/** Words that say nothing about which tool fits. */
const emptyWords = new Set(
  'a all an and any are as at be by can did do does each for from get give has have how i in is it its list me my of on or our please read show tell that the their them there this to us use via was we were what when which who why will with you your'.split(
    ' ',
  ),
)

/** What people say, and what tools are called. */
const kindred: ReadonlyMap<string, readonly string[]> = new Map([
  ['error', ['log']],
  ['warning', ['log']],
  ['problem', ['log']],
  ['wrong', ['log']],
  ['failure', ['log']],
  ['people', ['user']],
  ['person', ['user']],
  ['account', ['user', 'group']],
  ['admin', ['user']],
  ['sign', ['user']],
  ['login', ['user']],
  ['access', ['user', 'group']],
  ['member', ['user', 'group']],
  ['team', ['group']],
  ['environment', ['env']],
  ['variable', ['env']],
  ['memory', ['runtime']],
  ['uptime', ['runtime']],
  ['version', ['runtime']],
  ['server', ['runtime']],
  ['system', ['runtime']],
  ['installation', ['runtime']],
  ['machine', ['runtime']],
  ['image', ['asset']],
  ['document', ['asset']],
])

/** Chooses the next step from the prompt, the offer and the results so far; the same input gives the same plan. */
export function planDemo(messages: readonly Message[], tools: readonly ToolSpec[]): DemoPlan {
  // Skills stand in front of the prompt; the demo takes its wishes from the person alone.
  const prompt = afterFences(messages.find((message) => message.role === 'user')?.text ?? '')
  const facts = promptFacts(prompt)
  const asked = askedCalls(messages)
  const rounds = messages.filter((m) => m.role === 'assistant' && m.toolCalls.length > 0).length
  if (tools.length === 0 || rounds >= mostRounds) return { why: '', calls: [] }
  return rounds === 0 ? firstCalls(prompt, facts, tools) : followUps(messages, facts, tools, asked)
}

function askedCalls(messages: readonly Message[]): Set<string> {
  const asked = new Set<string>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const call of message.toolCalls) {
      asked.add(call.name)
      asked.add(`${call.name} ${call.argumentsText}`)
    }
  }
  return asked
}

type Scored = { tool: ToolSpec; score: number; words: string[]; args: Record<string, unknown> }

function firstCalls(prompt: string, facts: PromptFacts, tools: readonly ToolSpec[]): DemoPlan {
  const wanted = promptWords(facts)
  const scored: Scored[] = []
  for (const tool of tools) {
    if (/_raw$/.test(tool.name) && !/\braw\b/i.test(prompt) && !prompt.includes(tool.name)) continue
    const args = demoArguments(tool.parameters, facts)
    const { score, words } = scoreTool(tool, wanted, prompt)
    if (args && score >= 3) scored.push({ tool, score, words, args })
  }
  scored.sort((a, b) => b.score - a.score)
  const best = scored[0]
  // Where one tool's name fits, chance words in the description of another are no reason to call that one too.
  const fitting = scored.filter(
    ({ score, words }) =>
      best && score >= best.score * 0.5 && (words.length > 0 || best.words.length === 0),
  )
  const chosen = fitting.slice(0, mostCalls)
  const spoken = new Set(chosen.flatMap(({ words }) => words))
  const named = spoken.size > 0 ? [...spoken] : ['this']
  return {
    why:
      chosen.length > 0
        ? `The prompt mentions ${named.join(', ')}, so ${namesOf(chosen)} may help.`
        : '',
    calls: chosen.map(({ tool, args }) => wireCall(tool.name, args)),
  }
}

/** The telling words of the prompt with their kin, in the singular. */
function promptWords(facts: PromptFacts): Map<string, string> {
  const words = new Map<string, string>()
  for (const spoken of facts.words) {
    if (emptyWords.has(spoken) || spoken.length < 3) continue
    const word = singular(spoken)
    words.set(word, spoken)
    for (const kin of kindred.get(word) ?? []) if (!words.has(kin)) words.set(kin, spoken)
  }
  return words
}

function scoreTool(tool: ToolSpec, wanted: ReadonlyMap<string, string>, prompt: string) {
  const nameWords = tool.name.split('_').map(singular)
  const described = wordsOf(tool.description)
  const parameters = Object.keys(objectAt(tool.parameters, 'properties')).map(singular)
  let score = prompt.includes(tool.name) ? 10 : 0
  const words: string[] = []
  for (const [word, spoken] of wanted) {
    const inName = nameWords.includes(word) && !emptyWords.has(word)
    const points =
      (inName ? 4 : 0) + (described.has(word) ? 1 : 0) + (parameters.includes(word) ? 1 : 0)
    if (points === 0) continue
    score += points
    if (inName) words.push(`“${spoken}”`)
  }
  return { score, words }
}

function wordsOf(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/[a-z]+/g) ?? []).map(singular))
}

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

/**
 * What the results lead to: a tool whose subject is a field of the rows just read (users have groups), and a
 * narrower look with a tool that was just used (lines of the level `error`).
 */
function followUps(
  messages: readonly Message[],
  facts: PromptFacts,
  tools: readonly ToolSpec[],
  asked: ReadonlySet<string>,
): DemoPlan {
  const results = demoResults(messages.slice(messages.findLastIndex((m) => m.role === 'assistant')))
  const found: Scored[] = []
  for (const result of results) {
    const rows = result.isError ? [] : (rowsOf(result.value) ?? [])
    for (const tool of tools) {
      const args = demoArguments(tool.parameters, facts)
      if (!args || /_raw$/.test(tool.name)) continue
      const field = asked.has(tool.name) ? null : sharedField(tool, rows)
      if (field) found.push({ tool, score: 1, words: [field], args })
      const narrower = tool.name === result.name ? narrowed(tool, rows, args) : null
      if (narrower && !asked.has(`${tool.name} ${JSON.stringify(narrower)}`)) {
        found.push({ tool, score: 1, words: ['error'], args: narrower })
      }
    }
  }
  const chosen = found.slice(0, 2)
  return {
    why: chosen
      .map(
        ({ tool, words }) => `The result mentions ${words.join(', ')}, so ${tool.name} may help.`,
      )
      .join(' '),
    calls: chosen.map(({ tool, args }) => wireCall(tool.name, args)),
  }
}

function sharedField(tool: ToolSpec, rows: readonly Record<string, unknown>[]): string | null {
  const subject = singular(tool.name.split('_').at(-1) ?? '')
  const fields = Object.keys(rows[0] ?? {})
  return fields.find((field) => singular(field.toLowerCase()) === subject) ?? null
}

/** The same tool with its `level` set to `error`, when some but not all of the rows are errors. */
function narrowed(
  tool: ToolSpec,
  rows: readonly Record<string, unknown>[],
  args: Record<string, unknown>,
) {
  const level = objectAt(objectAt(tool.parameters, 'properties'), 'level')
  const variants = [level, ...listAt(level, 'anyOf').filter(isObject)]
  if (!variants.some((variant) => listAt(variant, 'enum').includes('error'))) return null
  const errors = rows.filter((row) => row.level === 'error').length
  return errors > 0 && errors < rows.length && args.level === undefined
    ? { ...args, level: 'error' }
    : null
}

function namesOf(chosen: readonly Scored[]): string {
  return chosen.map(({ tool }) => tool.name).join(' and ')
}

function wireCall(name: string, args: Record<string, unknown>): WireToolCall {
  return { id: null, name, argumentsText: JSON.stringify(args) }
}
