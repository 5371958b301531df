/** What can be read of what a web server sends. */
export type PageKind = 'html' | 'pdf' | 'json' | 'text'

/** What an answer is; `named` = what it says of itself, where that is nothing that can be read. */
export type KindFound = { kind: PageKind; charset: string | null } | { named: string }

const jsonType = /^(application\/(json|manifest)|[a-z]+\/[\w.-]+\+json)$/
const textType =
  /^(text\/.+|application\/(xml|javascript|ecmascript|yaml|x-yaml|toml|x-ndjson|jsonl|sql|graphql|x-sh)|[a-z]+\/[\w.-]+\+xml)$/

/** Returns what an answer is, by its content type; by its first bytes where it has none. */
export function pageKind(contentType: string | undefined, content: Uint8Array): KindFound {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const name = type.trim()
  if (name === '') return sniffed(content)
  const kind = kindOfType(name)
  // What calls itself text may be anything; a PDF that calls itself HTML is damaged for everybody.
  if (kind !== null && kind !== 'pdf' && hasZeros(content)) return { named: 'binary data' }
  return kind === null ? { named: readable(name) } : { kind, charset: charsetOf(parameters) }
}

function kindOfType(type: string): PageKind | null {
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (type === 'application/pdf') return 'pdf'
  if (jsonType.test(type)) return 'json'
  return textType.test(type) ? 'text' : null
}

function charsetOf(parameters: readonly string[]): string | null {
  for (const parameter of parameters) {
    const named = /^\s*charset\s*=\s*"?([\w.:-]{1,40})"?\s*$/.exec(parameter)?.[1]
    if (named !== undefined) return named
  }
  return null
}

const sniffedBytes = 1_024

function sniffed(content: Uint8Array): KindFound {
  const start = Buffer.from(content.subarray(0, sniffedBytes)).toString('latin1').trimStart()
  if (start.startsWith('%PDF-')) return { kind: 'pdf', charset: null }
  if (hasZeros(content)) return { named: 'binary data' }
  if (/^(<!doctype html|<html|<head|<body|<!--)/i.test(start))
    return { kind: 'html', charset: null }
  return { kind: /^[[{]/.test(start) ? 'json' : 'text', charset: null }
}

function hasZeros(content: Uint8Array): boolean {
  const start = content.subarray(0, sniffedBytes)
  // Each character of text in UTF-16 may have a zero; a mark at its start says so.
  const isWide =
    (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)
  return !isWide && start.includes(0)
}

/** Returns the name of a type as it may be shown: a server wrote it. */
function readable(type: string): string {
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : 'an unknown type'
}
