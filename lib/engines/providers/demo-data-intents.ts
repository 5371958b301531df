import {
  type Args,
  type Intent,
  isWord,
  numbersOf,
  quotesOf,
  type Step,
  textFrom,
} from './demo-step'

/** How plain words ask for the tools of data sources, in the order in which they are tried. */
export const dataIntents: readonly Intent[] = [
  {
    tool: 'search_records',
    says: /\b(?:search|find|look for)\b.*\b(?:records|rows)\b/,
    read: searchOf,
  },
  {
    tool: 'read_records',
    says: /\b(?:read|show|list|get|which|what)\b.*\b(?:records|rows)\b/,
    read: recordsOf,
  },
  {
    tool: 'get_schema',
    says: /\b(?:list|show|which|what|describe)\b.*\b(?:tables|columns|data sources?)\b/,
    read: schemaOf,
  },
]

/** Returns the name behind the first of these words, without what it is called: "of the table orders". */
function namedAfter({ tokens }: Step, ...words: string[]): string | null {
  const at = tokens.findIndex((token) => isWord(token, ...words))
  if (at === -1) return null
  const further = tokens.slice(at + 1)
  const name = further.find((token) => !isWord(token, 'the', 'table', 'data', 'source'))
  return name?.text ?? null
}

function schemaOf(step: Step): Args {
  const name = namedAfter(step, 'of', 'in')
  if (name === null) return {}
  return /\bcolumns\b/.test(step.words) ? { table: name } : { source: name }
}

function recordsOf(step: Step): Args | null {
  const { tokens } = step
  const table = namedAfter(step, 'of', 'in', 'from')
  if (table === null) return null
  const [limit] = numbersOf(step)
  const at = tokens.findIndex((token) => isWord(token, 'where'))
  const column = tokens[at + 1]?.text
  const value = at === -1 || !isWord(tokens[at + 2], 'is') ? '' : textFrom(step, at + 3)
  const isFiltered = column !== undefined && value !== ''
  return {
    table,
    ...(isFiltered && { filters: [{ column, value }] }),
    ...(limit !== undefined && !isFiltered && { limit }),
  }
}

function searchOf(step: Step): Args | null {
  const table = namedAfter(step, 'of', 'in', 'from')
  const at = step.tokens.findIndex((token) => isWord(token, 'for', 'with'))
  const text = quotesOf(step)[0] ?? (at === -1 ? '' : textFrom(step, at + 1))
  return table === null || text === '' ? null : { table, text }
}
