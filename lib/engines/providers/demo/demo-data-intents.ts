import {
  type Args,
  type Intent,
  isWord,
  numbersOf,
  quotesOf,
  type Step,
  textFrom,
} from './demo-step'

/** Phrases that ask for the tools of data sources, in the order in which they are tried. */
export const dataIntents: readonly Intent[] = [
  { tool: 'run_query', says: /^(?:run|execute)\b.*\b(?:query|sql)\b/, read: queryOf },
  {
    tool: 'get_record_history',
    says: /\bhistory\b.*\b(?:record|row)\b|\bwhat happened to\b.*\b(?:record|row)\b/,
    read: historyOf,
  },
  {
    tool: 'update_record',
    says: /\b(?:change|set|update)\b.*\b(?:record|row)\b/,
    read: updateOf,
  },
  { tool: 'insert_record', says: /\b(?:add|insert)\b.*\b(?:record|row)\b/, read: insertOf },
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

/** Reads "Show the history of the row of orders where id is 7". */
function historyOf(step: Step): Args | null {
  // The last one: "the history of the row of orders".
  const at = step.tokens.findLastIndex((token) => isWord(token, 'of', 'in'))
  const table = namedAfter({ ...step, tokens: step.tokens.slice(Math.max(0, at)) }, 'of', 'in')
  const key = keyOf(step)
  return table === null || key === null ? null : { table, key }
}

/** Reads "where id is 7". */
function keyOf(step: Step): Args | null {
  const { tokens } = step
  const at = tokens.findIndex((token) => isWord(token, 'where'))
  const name = tokens[at + 1]?.text
  const value = at !== -1 && isWord(tokens[at + 2], 'is') ? textFrom(step, at + 3) : ''
  return name === undefined || value === '' ? null : { [name]: value }
}

/** Reads "Change status from open to paid in the row of orders where id is 7". */
function updateOf(step: Step): Args | null {
  const { tokens } = step
  const after = (...words: string[]) => {
    const at = tokens.findIndex((token) => isWord(token, ...words))
    return at === -1 ? undefined : tokens[at + 1]?.text
  }
  const column = after('change', 'set', 'update')
  const [was, now] = [after('from'), after('to')]
  const table = namedAfter(step, 'of')
  const key = keyOf(step)
  if (!column || was === undefined || now === undefined || !table || key === null) return null
  return { table, key, set: { [column]: now }, was: { [column]: was } }
}

/** Reads "Add a row to orders with status open and total 5". */
function insertOf(step: Step): Args | null {
  const { tokens } = step
  const table = namedAfter(step, 'to', 'into')
  const at = tokens.findIndex((token) => isWord(token, 'with'))
  const words = at === -1 ? [] : tokens.slice(at + 1).filter((token) => !isWord(token, 'and'))
  const pairs = words.flatMap(({ text }, index) => {
    const value = words[index + 1]?.text
    return index % 2 === 0 && value !== undefined ? [[text, value] as const] : []
  })
  return table === null || pairs.length === 0 ? null : { table, values: Object.fromEntries(pairs) }
}

/** Reads "Run the query SELECT 1". */
function queryOf(step: Step): Args | null {
  const at = step.tokens.findIndex((token) => isWord(token, 'query', 'sql'))
  const sql = quotesOf(step)[0] ?? textFrom(step, at + 1)
  return sql === '' ? null : { sql }
}
