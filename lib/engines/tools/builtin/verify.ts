import { z } from 'zod'
import { linearPattern } from '@/lib/json-schema/linear-pattern'
import { ToolError } from '@/lib/protocol/tool'
import { nestedTooDeeply } from '@/lib/words/json-text'
import { defineTool } from '../define-tool'
import { type Asker, headWeb } from '../web/ask-web'

const mostChecks = 20
const longestText = 50_000
const mostPatternSteps = 4_000_000
const excerptReach = 60
const mostAddress = 500

const Check = z.object({
  kind: z.enum([
    'contains',
    'not_contains',
    'contains_any',
    'contains_all',
    'regex_match',
    'min_length',
    'json_valid',
    'url_head',
  ]),
  text: z.string().max(longestText).optional().describe('The text to check; not for url_head.'),
  values: z
    .array(z.string().min(1).max(1_000))
    .min(1)
    .max(20)
    .optional()
    .describe('What to look for, exactly as written: for the four kinds with "contains".'),
  pattern: z.string().min(1).max(500).optional().describe('For regex_match, in RE2 syntax.'),
  length: z.int().min(0).max(longestText).optional().describe('Characters, for min_length.'),
  url: z.string().trim().min(1).max(4_000).optional().describe('For url_head.'),
})
type Check = z.infer<typeof Check>

type Answer = { passed: boolean; evidence: string }

export default defineTool({
  name: 'verify',
  isPlain: true,
  description:
    'Checks texts exactly and returns for each check whether it passed, with the evidence: the place and the words found. Use it ' +
    'before you claim that a text contains a word, matches a pattern, is long enough or is valid JSON. contains and contains_any ' +
    'pass when one of the values is there, contains_all when all are, not_contains when none is. url_head passes when an address ' +
    'of a listed host answers with success.',
  group: 'web',
  parameters: z.object({ checks: z.array(Check).min(1).max(mostChecks) }),
  enabledByDefault: true,
  requiresAdmin: false,
  effect: 'read',
  trusted: true,
  dataClass: 'content',
  timeoutMs: 30_000,
  limits: [
    `${mostChecks} checks a call`,
    '50,000 characters of a text',
    '20 values of a check',
    '15 seconds an address',
  ],
  example: { checks: [{ kind: 'contains', text: 'All tests passed.', values: ['passed'] }] },
  execute: async ({ checks }, { signal, actor, runId, resources: { web } }) => {
    const asker = { signal, runId, person: actor.userId, web }
    const results = await Promise.all(
      checks.map(async (check) => ({ kind: check.kind, ...(await answerOf(check, asker)) })),
    )
    const failed = results.filter(({ passed }) => !passed).length
    return { content: { passed: results.length - failed, failed, results } }
  },
})

async function answerOf(check: Check, asker: Asker): Promise<Answer> {
  const { kind } = check
  if (kind === 'url_head') return headOf(needed(check, 'url'), asker)
  return answerOfText({ ...check, kind }, needed(check, 'text'))
}

type TextCheck = Check & { kind: Exclude<Check['kind'], 'url_head'> }

function answerOfText(check: TextCheck, text: string): Answer {
  const { kind } = check
  switch (kind) {
    case 'contains':
    case 'contains_any':
      return anyOf(text, needed(check, 'values'))
    case 'contains_all':
      return allOf(text, needed(check, 'values'))
    case 'not_contains':
      return noneOf(text, needed(check, 'values'))
    case 'regex_match':
      return matchOf(text, needed(check, 'pattern'))
    case 'min_length':
      return lengthOf(text, needed(check, 'length'))
    case 'json_valid':
      return jsonOf(text)
    default:
      return kind satisfies never
  }
}

function needed<F extends 'text' | 'values' | 'pattern' | 'length' | 'url'>(
  check: Check,
  field: F,
): NonNullable<Check[F]> {
  const value = check[field]
  if (value === undefined) {
    throw new ToolError('missing-field', `A check of kind ${check.kind} needs "${field}".`)
  }
  return value
}

/** Returns whether an address is there. Nothing of what its host wrote is in the evidence but where it led. */
async function headOf(url: string, asker: Asker): Promise<Answer> {
  try {
    const { status, address } = await headWeb(url, asker)
    const passed = status >= 200 && status < 300
    return { passed, evidence: `Status ${status} at ${address.slice(0, mostAddress)}` }
  } catch (error) {
    if (error instanceof ToolError) return { passed: false, evidence: error.message }
    throw error
  }
}

function anyOf(text: string, values: string[]): Answer {
  const found = values.find((value) => text.includes(value))
  return found === undefined
    ? { passed: false, evidence: `Not found: ${quotedList(values)}.` }
    : { passed: true, evidence: place(text, text.indexOf(found), found.length) }
}

function allOf(text: string, values: string[]): Answer {
  const missing = values.filter((value) => !text.includes(value))
  if (missing.length > 0) return { passed: false, evidence: `Not found: ${quotedList(missing)}.` }
  const places = values.map((value) => place(text, text.indexOf(value), value.length))
  return { passed: true, evidence: places.join(' ') }
}

function noneOf(text: string, values: string[]): Answer {
  const found = values.find((value) => text.includes(value))
  return found === undefined
    ? { passed: true, evidence: `Not found: ${quotedList(values)}.` }
    : { passed: false, evidence: place(text, text.indexOf(found), found.length) }
}

function matchOf(text: string, pattern: string): Answer {
  const { find, steps } = compiled(pattern)
  if (steps * (text.length + 1) > mostPatternSteps) {
    throw new ToolError('too-much', 'This pattern is too long for a text of this length.')
  }
  const found = find(text)
  return found
    ? { passed: true, evidence: place(text, found.start, found.end - found.start) }
    : { passed: false, evidence: 'The pattern matches nothing in the text.' }
}

function compiled(pattern: string) {
  try {
    return linearPattern(pattern)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ToolError('invalid-pattern', `The pattern cannot be used: ${why.slice(0, 200)}.`)
  }
}

function lengthOf(text: string, least: number): Answer {
  const characters = [...text].length
  return { passed: characters >= least, evidence: `It has ${characters} characters.` }
}

function jsonOf(text: string): Answer {
  if (nestedTooDeeply(text)) return { passed: false, evidence: 'It is nested too deeply.' }
  try {
    const value: unknown = JSON.parse(text)
    return { passed: true, evidence: `It is ${kindOf(value)}.` }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { passed: false, evidence: `It cannot be read: ${why.slice(0, 200)}.` }
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (value === null) return 'null'
  return typeof value === 'object'
    ? `an object with ${Object.keys(value).length} keys`
    : `a ${typeof value}`
}

/** Returns where something stands in a text, with the words around it. */
function place(text: string, start: number, length: number): string {
  const from = Math.max(0, start - excerptReach)
  const to = Math.min(text.length, start + Math.min(length, 200) + excerptReach)
  const before = from > 0 ? '…' : ''
  const after = to < text.length ? '…' : ''
  return `At character ${start + 1}: "${before}${text.slice(from, to).toWellFormed()}${after}".`
}

function quotedList(values: string[]): string {
  return values.map((value) => JSON.stringify(value.slice(0, 100).toWellFormed())).join(', ')
}
