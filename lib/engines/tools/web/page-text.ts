import { nestedTooDeeply } from '@/lib/protocol/json-text'
import { htmlText } from './html-text'
import type { PageKind } from './page-kind'
import { pdfText } from './pdf-text'

/** `address`: where it is, for relative links. `start`, `most`: which part of its text is wanted, in characters. */
export type PageQuestion = {
  content: Uint8Array<ArrayBuffer>
  kind: PageKind
  charset: string | null
  address: string
  start: number
  most: number
}

/** `total`: the characters of the whole text. */
export type PageText = { title: string; text: string; total: number }

/** Returns the text of what a web server sent. Takes long for hostile content, so it runs in a thread. */
export async function pageText(question: PageQuestion): Promise<PageText> {
  const { title, text } = await wholeText(question)
  const { start, most } = question
  // A pair of surrogates is one character: half of one at an edge is replaced.
  return { title, text: text.slice(start, start + most).toWellFormed(), total: text.length }
}

async function wholeText({ content, kind, charset, address }: PageQuestion) {
  switch (kind) {
    case 'pdf':
      return pdfText(content)
    case 'html':
      return htmlText(decoded(content, charset ?? metaCharset(content)), address)
    case 'json':
      return { title: '', text: prettyJson(decoded(content, charset)) }
    case 'text':
      return { title: '', text: decoded(content, charset) }
    default:
      return kind satisfies never
  }
}

function decoded(content: Uint8Array, charset: string | null): string {
  return decoderFor(charset ?? markOf(content)).decode(content)
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder('utf-8')
  }
}

/** Returns the encoding that the first bytes name. */
function markOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

const metaBytes = 2_048

function metaCharset(content: Uint8Array): string | null {
  const start = Buffer.from(content.subarray(0, metaBytes)).toString('latin1')
  return /<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(start)?.[1] ?? null
}

/** Returns JSON with a line for each value, and what cannot be read as it is. */
function prettyJson(text: string): string {
  if (nestedTooDeeply(text)) return text
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value, null, 2)
  } catch {
    return text
  }
}
