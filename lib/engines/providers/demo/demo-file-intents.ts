import {
  type Args,
  type Before,
  type Intent,
  isPath,
  isWord,
  numbersOf,
  pathAt,
  quotesOf,
  type Step,
  textFrom,
  workspaceAt,
} from './demo-step'
import { tokensOf } from './demo-tokens'

/** Phrases that ask for the tools of workspaces, in the order in which they are tried. */
export const fileIntents: readonly Intent[] = [
  { tool: 'edit_file', says: /\b(?:replace|change|edit)\b/, read: editOf },
  { tool: 'write_file', says: /\b(?:write|create|save|make|put)\b/, read: writeOf },
  { tool: 'exec', says: /^(?:run|execute)\b|\brun\b.*\bin\b|^in \S+,? run\b/, read: commandOf },
  {
    tool: 'search_files_text',
    says: /\b(?:search|find|look for|grep|where)\b/,
    read: searchOf,
  },
  { tool: 'read_file', says: /\b(?:read|show|open|print|lines|what)\b/, read: readOf },
  {
    tool: 'list_directory',
    says: /\b(?:list|show|what|which|look)\b.*\b(?:files?|folders?|directory|in|workspace)\b/,
    read: listOf,
  },
]

/** Returns the workspace that a step names before the token at `end`, or an earlier step did. */
function placeOf(step: Step, { workspace }: Before, end = step.tokens.length): Args {
  const found = step.tokens[workspaceAt(step, end)]?.text ?? workspace
  return found === undefined ? {} : { workspace: found }
}

/** Returns the path that a step names; "it" is the one of an earlier step. */
function fileOf(step: Step, { path }: Before): Args | null {
  const named = step.tokens[pathAt(step)]?.text
  if (named !== undefined) return { path: named }
  const meansEarlier = /\b(?:it|back|again|that file|the file)\b/.test(step.words)
  return meansEarlier && path !== undefined ? { path } : null
}

function editOf(step: Step, before: Before): Args | null {
  const file = fileOf(step, before)
  const [find, replace] = textsOf(step)
  if (!file || find === undefined || replace === undefined) return null
  return { ...placeOf(step, before), ...file, find, replace }
}

/** Returns the quoted texts that are no paths. */
function textsOf({ tokens }: Step): string[] {
  return tokens.flatMap((t) => (t.kind === 'quoted' && !isPath(t) ? [t.text] : []))
}

const contentMarks = ['with', 'saying', 'containing', 'says']
const contentWords = ['the', 'a', 'text', 'content', 'contents', 'words', 'line']

function writeOf(step: Step, before: Before): Args | null {
  const file = fileOf(step, before)
  if (!file) return null
  const { content, end } = contentOf(step)
  const place = placeOf(step, before, end)
  if (content === undefined) return { ...place, ...file }
  const last = / in (?:the workspace )?([a-z0-9][a-z0-9-]*)$/.exec(content)
  // Unquoted content may end with the name of the workspace, if no earlier word names it.
  if (end < step.tokens.length && !Object.hasOwn(place, 'workspace') && last) {
    return { workspace: last[1], ...file, content: content.slice(0, last.index) }
  }
  return { ...place, ...file, content }
}

/** Returns what is to be written, and where it begins when it is not in quotation marks: what follows names nothing else. */
function contentOf(step: Step): { content?: string; end: number } {
  const { tokens } = step
  const quoted = textsOf(step)[0]
  const whole = { end: tokens.length }
  if (quoted !== undefined) return { content: quoted, ...whole }
  const mark = tokens.findIndex((token) => isWord(token, ...contentMarks))
  if (mark !== -1) {
    const skipped = tokens.slice(mark + 1).findIndex((token) => !isWord(token, ...contentWords))
    return skipped === -1 ? whole : { content: textFrom(step, mark + 1 + skipped), end: mark }
  }
  const verb = tokens.findIndex((token) => isWord(token, 'write', 'save', 'put'))
  const to = tokens.findIndex((token, at) => at > verb && isWord(token, 'to', 'into', 'in'))
  if (verb === -1 || to <= verb + 1 || pathAt(step) < to) return whole
  return { content: textFrom({ ...step, tokens: tokens.slice(0, to) }, verb + 1), ...whole }
}

function commandOf(step: Step, before: Before): Args | null {
  const { tokens } = step
  const verb = tokens.findLastIndex((token) => isWord(token, 'run', 'execute'))
  const from = verb === -1 ? tokens.findIndex((token) => isWord(token, 'with')) : verb
  if (from === -1) return null
  const rest = tokens.slice(from + 1)
  const last = rest.findLastIndex((token) => isWord(token, 'in'))
  const named = workspaceAt({ ...step, tokens: rest })
  const typed = last !== -1 && named > last ? rest.slice(0, last) : rest
  const [only] = typed
  const words = typed.length === 1 && only?.kind === 'quoted' ? tokensOf(only.text) : typed
  const [program, ...args] = words.map(({ text }) => text)
  if (program === undefined) return null
  const place = placeOf(step, before)
  return { ...place, program, ...(args.length > 0 && { arguments: args }) }
}

const ends = ['in', 'of', 'from', 'within']

function searchOf(step: Step, before: Before): Args | null {
  const { tokens } = step
  const verb = tokens.findIndex((token) => isWord(token, 'search', 'grep'))
  const direct = tokens[verb + 1]
  const isDirect = verb !== -1 && direct?.kind === 'word' && isWord(tokens[verb + 2], 'for')
  const place = isDirect ? { workspace: direct.text } : placeOf(step, before)
  const pattern = textsOf(step)[0] ?? searchedFor(step)
  if (pattern === undefined || !Object.hasOwn(place, 'workspace')) return null
  const glob = tokens.find(({ text }) => text.includes('*'))?.text
  return { ...place, pattern, ...(glob !== undefined && { glob }) }
}

function searchedFor(step: Step): string | undefined {
  const { tokens } = step
  const from = tokens.findIndex((token) => isWord(token, 'for', 'find')) + 1
  if (from === 0) return undefined
  const length = tokens.slice(from).findIndex((token) => isWord(token, ...ends))
  const to = length === -1 ? tokens.length : from + length
  return textFrom({ ...step, tokens: tokens.slice(0, to) }, from) || undefined
}

function readOf(step: Step, before: Before): Args | null {
  const file = fileOf(step, before)
  if (!file) return null
  const [first, last] = numbersOf(step)
  const place = placeOf(step, before)
  if (first === undefined || !/\blines?\b/.test(step.words)) return { ...place, ...file }
  if (last !== undefined && last >= first) {
    return { ...place, ...file, start: first, lines: last - first + 1 }
  }
  return /\bfirst\b/.test(step.words)
    ? { ...place, ...file, lines: first }
    : { ...place, ...file, start: first, lines: 1 }
}

function listOf(step: Step, before: Before): Args | null {
  const { tokens } = step
  const folder = tokens.findIndex((token) => isWord(token, 'folder', 'directory')) + 1
  const named = folder > 0 ? tokens[folder] : tokens[pathAt(step)]
  const isNamed = named !== undefined && !isWord(named, 'of', 'in', 'from')
  const path = isNamed ? { path: quotesOf(step)[0] ?? named.text } : {}
  const rest = isNamed ? tokens.filter((token) => token !== named) : tokens
  const place = placeOf({ ...step, tokens: rest }, before)
  return Object.hasOwn(place, 'workspace') ? { ...place, ...path } : null
}
