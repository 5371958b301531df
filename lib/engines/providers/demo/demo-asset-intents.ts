import { type Args, type Intent, isPath, isWord, quotesOf, type Step, textFrom } from './demo-step'
import type { Token } from './demo-tokens'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Phrases that ask for the tools of storages, in the order in which they are tried. */
export const assetIntents: readonly Intent[] = [
  {
    tool: 'set_alternative_text',
    says: /\b(?:set|write|change|make)\b.*\balt(?:ernative)? text\b|^describe\b.*\basset\b/,
    read: describeOf,
  },
  {
    tool: 'read_asset_meta',
    says: /\basset\b/,
    read: ({ tokens }) => {
      const uid = tokens.find(({ text }) => uuid.test(text))?.text
      return uid === undefined ? {} : { uid }
    },
  },
  {
    tool: 'list_storages',
    says: /\b(?:list|show|which|what|how many)\b.*\bstorages\b/,
    read: () => ({}),
  },
  { tool: 'search_files', says: /\b(?:search|find|which|look for)\b.*\bassets?\b/, read: searchOf },
  {
    tool: 'browse_folder',
    says: /\b(?:browse|list|show|what|look)\b.*\bstorage\b/,
    read: browseOf,
  },
]

function describeOf(step: Step): Args | null {
  const { tokens } = step
  const uid = tokens.find(({ text }) => uuid.test(text))?.text
  const mark = tokens.findLastIndex((token) => isWord(token, 'to', 'as', 'saying', 'with'))
  const text = quotesOf(step)[0] ?? (mark === -1 ? '' : textFrom(step, mark + 1))
  return uid === undefined || text === '' ? null : { uid, text }
}

/** Returns the tokens before the name of a storage, and that name: what follows "storage". */
function storageOf(step: Step): { before: readonly Token[]; storage: string | null } {
  const { tokens } = step
  const at = tokens.findIndex((token) => isWord(token, 'storage'))
  const name = at === -1 ? '' : (nextQuote(tokens[at + 1]) ?? textFrom(step, at + 1))
  return name === ''
    ? { before: tokens, storage: null }
    : { before: tokens.slice(0, at), storage: name }
}

function nextQuote(token: Token | undefined): string | undefined {
  return token?.kind === 'quoted' ? token.text : undefined
}

function searchOf(step: Step): Args | null {
  const { before, storage } = storageOf(step)
  const rest = storage === null ? before : withoutEnd(before)
  const input = { ...step, tokens: rest }
  const mark = rest.findIndex((token) => isWord(token, 'for', 'about', 'with', 'of', 'named'))
  const text = quotesOf(input)[0] ?? (mark === -1 ? '' : textFrom(input, mark + 1))
  if (text === '') return null
  return { text: text.slice(0, 200), ...(storage !== null && { storage }) }
}

/** Returns tokens without the "in the" that leads to the name of a storage. */
function withoutEnd(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.findLastIndex((token) => !isWord(token, 'in', 'of', 'the', 'from', 'within'))
  return tokens.slice(0, last + 1)
}

function browseOf(step: Step): Args | null {
  const { before, storage } = storageOf(step)
  if (storage === null) return null
  const after = before.findIndex((token) => isWord(token, 'folder')) + 1
  const named = after > 0 ? before[after] : before.find(isPath)
  const isNamed = named !== undefined && !isWord(named, 'of', 'in', 'from')
  return { storage, ...(isNamed && { path: named.text }) }
}
