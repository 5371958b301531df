import { type Token, tokensOf } from './demo-tokens'

/** One thing that a prompt asks for. `words`: its words in small letters, for patterns; a quoted text in it is "". */
export type Step = { prompt: string; tokens: readonly Token[]; words: string }

/** The arguments that a step of a prompt gives. */
export type Args = Record<string, unknown>

/** Subjects of earlier steps of the same prompt, and the proposal that a role of a coordination judges. */
export type Before = { workspace?: unknown; path?: unknown; proposal?: string | null }

/**
 * Recognizes a request for one tool in plain words. `says` matches possible requests. `read` returns the arguments in
 * the text; null: the text asks for something else.
 */
export type Intent = {
  tool: string
  says: RegExp
  read: (step: Step, before: Before) => Args | null
}

const fillers = new Set([
  'and',
  'also',
  'now',
  'please',
  'first',
  'firstly',
  'second',
  'secondly',
  'third',
  'next',
  'finally',
  'lastly',
  'afterwards',
  'then',
])

/** Patterns read only this many characters, because a request stands at the beginning. */
const mostShape = 400

/** Returns the tokens as one thing that is asked for, without words that only lead over to it. */
export function stepOf(prompt: string, tokens: readonly Token[]): Step {
  const first = tokens.findIndex(({ kind, text }) => kind !== 'word' || !isFiller(text))
  const own = first === -1 ? [] : tokens.slice(first)
  const words = own.map(({ kind, text }) => (kind === 'word' ? text.toLowerCase() : '""')).join(' ')
  return { prompt, tokens: own, words: words.slice(0, mostShape) }
}

function isFiller(text: string): boolean {
  return fillers.has(text.toLowerCase())
}

/** Returns what a prompt asks for, one after the other: its sentences and lines, and what follows "then" in them. */
export function stepsOf(prompt: string): Step[] {
  const parts: Token[][] = [[]]
  for (const token of tokensOf(prompt)) {
    if (isWord(token, 'then')) parts.push([])
    parts.at(-1)?.push(token)
    if (token.endsSentence) parts.push([])
  }
  return parts.map((each) => stepOf(prompt, withoutEnd(each))).filter((s) => s.tokens.length > 0)
}

/** Returns tokens without the "and" before a "then". */
function withoutEnd(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.at(-1)
  return tokens.length > 1 && isWord(last, 'and') ? tokens.slice(0, -1) : tokens
}

export function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toLowerCase().replace(/:$/, ''))
}

/** Returns the prompt from the token at this place on, as it is written; "" when there is none. */
export function textFrom({ prompt, tokens }: Step, from: number): string {
  const first = tokens[from]
  const last = tokens.at(-1)
  if (!first || !last) return ''
  return from === tokens.length - 1 ? first.text : prompt.slice(first.start, last.end)
}

export function quotesOf({ tokens }: Step): string[] {
  return tokens.flatMap(({ kind, text }) => (kind === 'quoted' ? [text] : []))
}

/** Returns the first address of the web. */
export function addressOf({ tokens }: Step): string | null {
  return tokens.find(({ text }) => /^https?:\/\/\S+$/i.test(text))?.text ?? null
}

/** Returns the numbers that a step names, except those within quotation marks. */
export function numbersOf({ tokens }: Step): number[] {
  return tokens.flatMap(({ kind, text }) =>
    kind === 'word' && /^-?\d+(?:\.\d+)?$/.test(text) ? [Number(text)] : [],
  )
}

const fileName =
  /^(?:[\w.-]+\/)*(?:[\w-][\w.-]*\.[a-z][a-z0-9]{0,9}|README|LICENSE|CHANGELOG|Makefile|Dockerfile)$/i

export function isPath({ kind, text }: Token): boolean {
  if (kind === 'object' || text.includes('://')) return false
  return fileName.test(text) || /^[\w.-]+(?:\/[\w.-]+)*\/[\w.-]*$/.test(text)
}

/** Returns the place of the first path of a file or folder; -1 = there is none. */
export function pathAt({ tokens }: Step): number {
  return tokens.findIndex(isPath)
}

const places = ['in', 'of', 'from', 'into', 'inside', 'on', 'to', 'within']
const workspaceName = /^(?=[\d-]*[a-z])[a-z0-9][a-z0-9-]*$/
const noWorkspace = new Set([
  'the',
  'a',
  'an',
  'this',
  'that',
  'it',
  'its',
  'all',
  'my',
  'your',
  'here',
  'there',
  'which',
  'file',
  'files',
  'folder',
  'directory',
  'workspace',
  'web',
  'internet',
  'log',
  'lines',
  'site',
])

/** Returns the place of the name of a workspace, up to the token at `end`; -1 = none is named. */
export function workspaceAt(step: Step, end = step.tokens.length): number {
  return placeAt(step, 'workspace', end)
}

/** Returns the place of the name of what a noun is for, up to the token at `end`; -1 = none is named. */
export function placeAt({ tokens }: Step, noun: string, end = tokens.length): number {
  const after = tokens.findIndex((token) => isWord(token, noun)) + 1
  if (after > 0 && isName(tokens[after])) return after
  return tokens.findIndex((token, at) => {
    if (at >= end || !isName(token)) return false
    return isWord(tokens[isWord(tokens[at - 1], 'the') ? at - 2 : at - 1], ...places)
  })
}

function isName(token: Token | undefined): boolean {
  if (!token || token.kind === 'object' || isPath(token)) return false
  return workspaceName.test(token.text) && !noWorkspace.has(token.text)
}
