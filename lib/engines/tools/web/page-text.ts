import { nestedTooDeeply } from '@/lib/protocol/json-text'
import type { PageQuestion, Whole } from './answer-question'
import { decoded, decodedPage } from './decode-text'
import { htmlText } from './html-text'

/** Returns the title and the whole text of what a web server sent that is no PDF. Takes long for hostile content. */
export function pageText({ content, kind, charset, address }: PageQuestion): Whole {
  switch (kind) {
    case 'html':
      return htmlText(decodedPage(content, charset), address)
    case 'json':
      return plain(prettyJson(decoded(content, charset)))
    case 'text':
      return plain(decoded(content, charset))
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
