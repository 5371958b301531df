import { nestedTooDeeply } from '@/lib/protocol/json-text'
import type { PageQuestion } from './answer-question'
import { htmlText } from './html-text'

/** Returns the title and the whole text of what a web server sent that is no PDF. Takes long for hostile content. */
export function pageText({ content, kind, charset, address }: PageQuestion) {
  switch (kind) {
    case 'html':
      return htmlText(decoded(content, charset ?? metaCharset(content)), address)
    case 'json':
      return { title: '', text: prettyJson(decoded(content, charset)) }
    case 'text':
      return { title: '', text: decoded(content, charset) }
    case 'pdf':
      throw new Error('A PDF is read by the program for it.')
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

/** Longer JSON takes too much memory as values. */
const mostJson = 2_000_000

/** Returns JSON with a line for each value; what is long, nested deeply or no JSON as it is. */
function prettyJson(text: string): string {
  if (text.length > mostJson || nestedTooDeeply(text)) return text
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value, null, 2)
  } catch {
    return text
  }
}
