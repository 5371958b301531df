import { decodeAsText, encodingWords } from '@/lib/protocol/files/decode-text'
import { nestedTooDeeply } from '@/lib/words/json-text'
import type { PageQuestion, Whole } from './answer-question'
import { htmlText } from './html-text'
import type { PageKind } from './page-kind'

/** Returns the title and the whole text of what a web server sent that is no PDF. Takes long for hostile content. */
export function pageText({ content, kind, charset, address }: PageQuestion): Whole {
  const decoded = decodeAsText(content, { charset, isHtml: kind === 'html' })
  const encoding = encodingWords(decoded)
  const { undecoded } = decoded
  return {
    ...wholeOf(kind, decoded.text, address),
    ...(encoding !== null && { encoding }),
    ...(undecoded > 0 && { undecoded }),
  }
}

function wholeOf(kind: PageKind, text: string, address: string): Whole {
  switch (kind) {
    case 'html':
      return htmlText(text, address)
    case 'json':
      return plain(prettyJson(text))
    case 'text':
      return plain(text)
    case 'pdf':
      throw new Error('A PDF is read by the program for it.')
    default:
      return kind satisfies never
  }
}

function plain(text: string): Whole {
  return { title: '', text, links: null, hiddenFrom: null, leftOut: [] }
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
