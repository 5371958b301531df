import { decodeText } from '@/lib/protocol/files/decode-text'

/** Kinds of content from a web server that can be read. */
export type PageKind = 'html' | 'pdf' | 'json' | 'text'

/** Kind of an answer; `named`: its stated type, if that is none that can be read. */
export type KindFound = { kind: PageKind; charset: string | null } | { named: string }

const jsonType = /^(application\/(json|manifest)|[a-z]+\/[\w.-]+\+json)$/
const textType =
  /^(text\/.+|application\/(xml|javascript|ecmascript|yaml|x-yaml|toml|x-ndjson|jsonl|sql|graphql|x-sh)|[a-z]+\/[\w.-]+\+xml)$/

/** Types that servers send with files of which they know nothing, or that are to be saved. */
const anyType =
  /^(?:application|binary|unknown)\/(?:x-)?(?:octet-stream|download|force-download|unknown)$/

/** Returns what an answer is, by its content type; by its first bytes where that says nothing. */
export function pageKind(contentType: string | undefined, content: Uint8Array): KindFound {
  const [type = ''] = (contentType ?? '').split(';')
  const name = type.trim().toLowerCase()
  const charset = charsetOf(contentType)
  if (name === '' || anyType.test(name)) return sniffed(content, charset)
  const kind = kindOfType(name)
  if (kind === null) return { named: readable(name) }
  // Content that is declared as text may be binary data. A PDF that is declared as something else is read as a PDF.
  if (kind !== 'pdf' && !isText(content, charset, kind === 'html')) return { named: 'binary data' }
  return { kind, charset }
}

/** Returns the encoding that a content type names, in small letters; null = it names none. */
export function charsetOf(contentType: string | undefined): string | null {
  for (const parameter of (contentType ?? '').toLowerCase().split(';').slice(1)) {
    const named = /^\s*charset\s*=\s*["']?([\w.:-]{1,40})["']?\s*$/.exec(parameter)?.[1]
    if (named !== undefined) return named
  }
  return null
}

function kindOfType(type: string): PageKind | null {
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (type === 'application/pdf') return 'pdf'
  if (jsonType.test(type)) return 'json'
  return textType.test(type) ? 'text' : null
}

const sniffedBytes = 2_048

function sniffed(content: Uint8Array, charset: string | null): KindFound {
  const start = content.subarray(0, sniffedBytes)
  if (Buffer.from(start).toString('latin1').trimStart().startsWith('%PDF-'))
    return { kind: 'pdf', charset: null }
  const decoded = decodeText(start, { charset, isCut: start.length < content.length })
  if (decoded === null) return { named: 'binary data' }
  const text = decoded.text.trimStart()
  if (/^(<!doctype html|<html|<head|<body|<!--)/i.test(text)) return { kind: 'html', charset }
  return { kind: /^[[{]/.test(text) ? 'json' : 'text', charset }
}

/** Returns whether content begins as text. */
function isText(content: Uint8Array, charset: string | null, isHtml: boolean): boolean {
  const start = content.subarray(0, sniffedBytes)
  return decodeText(start, { charset, isHtml, isCut: start.length < content.length }) !== null
}

/** Returns the name of a type as it may be shown: a server wrote it. */
function readable(type: string): string {
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : 'an unknown type'
}
