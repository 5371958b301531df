import { quoteMark } from './demo-parts'

/** The arguments of a call. */
export type Args = Record<string, unknown>

/** Texts in the places of a sentence, by name; those that a prompt leaves out are missing. */
type Slots = Readonly<Record<string, string>>

/** A sentence that asks for a tool. `args` turns the texts in its places into arguments; left out: they are the arguments. */
type Sentence = { tool: string; says: RegExp; args?: (slots: Slots) => Args }

/** Patterns of places that take more than one word, or not any word. */
const slotPatterns: Readonly<Record<string, string>> = {
  path: `(?:[^\\s./]*[./]\\S*|${quoteMark})`,
  url: 'https?://\\S+',
  limit: '\\d+',
  level: 'error|warn|info',
  zone: '(?:(?! and |,).)+?',
  expression:
    '(?:[\\d\\s.,+\\-*/^%()×÷]|\\b(?:of|times|plus|minus|divided by)\\b|\\b[a-z]\\w*(?=\\())+',
}

/**
 * Returns a sentence from a pattern: `<name>` is one word or a quoted text, `<name…>` any text, a space any white space,
 * and parentheses group without capturing.
 */
function sentence(tool: string, pattern: string, args?: (slots: Slots) => Args): Sentence {
  const source = pattern
    .replaceAll('(', '(?:')
    .replaceAll(' ', '\\s+')
    .replace(/<(\w+)(…?)>/g, (_, name, isLong) => {
      return `(?<${name}>${isLong ? '.+?' : (slotPatterns[name] ?? '\\S+')})`
    })
  return { tool, says: new RegExp(`^(?:${source})$`, 'is'), ...(args && { args }) }
}

const theFile = '( the file)?'
const inPlace = '( (in|of|from)( the workspace)? <workspace>)?'
const row = '(row|record) (of|in)( the table)? <table>'
const rows = '(rows|records) (of|in|from)( the table)? <table>'
const whereKey = 'where <column> is <value…>'
const list = '(list|show|which|what|who|how many)( .+)?'

/** Plain sentences that the demo understands, in the order in which they are tried. */
export const sentences: readonly Sentence[] = [
  sentence('spawn_run', 'ask the configuration <configuration>: <prompt…>'),
  sentence('memory_write', 'remember( that)? <content…>', (slots) => ({ mode: 'add', ...slots })),
  sentence('memory_read', 'what do you remember( about <query…>)?'),
  sentence(
    'verify',
    '(check that|verify that|does) <text> contains? <value…>',
    ({ text, value }) => ({
      checks: [{ kind: 'contains', text, values: [value] }],
    }),
  ),
  sentence('probe_url', 'probe <url>'),
  sentence('probe_url', 'how does <url> answer'),
  sentence('get_page_content', 'show the content of the page <url>'),
  sentence('get_page_tree', 'which pages does the site <site> have'),
  sentence('fetch_url', '(read|fetch|open|get|show|what does) <url>( say)?'),
  sentence('web_search', '(search the web for|google) <query…>'),
  sentence('run_query', 'run the query <sql…>'),
  sentence('get_record_history', `show the history of the ${row} ${whereKey}`, (slots) => ({
    table: slots.table,
    key: keyOf(slots),
  })),
  sentence(
    'update_record',
    `change <field> from <was> to <now> in the ${row} ${whereKey}`,
    (slots) => ({
      table: slots.table,
      key: keyOf(slots),
      set: { [String(slots.field)]: slots.now },
      was: { [String(slots.field)]: slots.was },
    }),
  ),
  sentence('insert_record', 'add a (row|record) to <table> with <column> <value>', (slots) => ({
    table: slots.table,
    values: keyOf(slots),
  })),
  sentence('search_records', `search the ${rows} for <text…>`),
  sentence('read_records', `(show|read|list)( the)?( <limit>)? ${rows}( ${whereKey})?`, recordsOf),
  sentence(
    'edit_file',
    `(replace|change) <find> (with|to) <replace> in${theFile} <path>${inPlace}`,
  ),
  sentence(
    'write_file',
    `(write|create|save)${theFile} <path>${inPlace} (with|saying)( the text)? <content…>`,
  ),
  sentence('write_file', `(write|save) <content…> (to|in)${theFile} <path>${inPlace}`),
  sentence('search_files_text', 'search( the files of)? <workspace> for <pattern…>'),
  sentence('read_file', `(read|show|open)${theFile} (it|<path>)( again| back)?${inPlace}`),
  sentence(
    'list_directory',
    '(list( the)? files|which files are)( in| of)( the workspace)? <workspace>',
  ),
  sentence('exec', 'run <command…> in( the workspace)? <workspace>', commandOf),
  sentence(
    'current_time',
    '(what (time|date|day) is it|(what is|tell me) the( current)? (time|date))( now)?( in <zone>)?',
    ({ zone }) => (zone === undefined ? {} : { zone: zoneOf(zone) }),
  ),
  sentence('calculate', "(calculate|compute|what is|what's|how much is) <expression>", (slots) => ({
    expression: expressionOf(slots.expression ?? ''),
  })),
  sentence('send_message', '(send|post) <text…> to( the channel)? <channel>'),
  sentence('get_runtime_info', '(which|what) .*(node version|uptime)( .*)?'),
  sentence('get_system_status', 'what is the status of this (installation|system|site|server)'),
  sentence(
    'fetch_logs',
    '(show|read|list)( me)?( the)?( last| latest| newest)?( <limit>)?( <level>\\w*)?( of| in)?( the)? logs?',
    logsOf,
  ),
  sentence(
    'list_users',
    `who (may|can) sign in( here)?|${list} (users|accounts|admins|people)( .*)?`,
  ),
  sentence('list_groups', `${list} groups( .*)?`),
  sentence('list_schedules', `${list} schedules`),
  sentence('list_storages', `${list} storages( .*)?`),
  sentence('get_schema', `${list} tables( .*)?`),
  sentence('get_env', `${list} environment variables( .*)?`),
]

/** Returns the column and value of "where id is 7" as an object. */
function keyOf({ column, value }: Slots): Args {
  return { [String(column)]: value }
}

function recordsOf({ table, column, value, limit }: Slots): Args {
  return {
    table,
    ...(column !== undefined && { filters: [{ column, value }] }),
    ...(limit !== undefined && { limit: Number(limit) }),
  }
}

function logsOf({ level, limit }: Slots): Args {
  return {
    ...(level !== undefined && { level: level.toLowerCase() }),
    ...(limit !== undefined && { limit: Number(limit) }),
  }
}

function commandOf({ workspace, command = '' }: Slots): Args {
  const words = command.match(/"[^"]*"|\S+/g) ?? []
  const [program, ...rest] = words.map((word) => word.replace(/^"(.*)"$/, '$1'))
  return { workspace, program, ...(rest.length > 0 && { arguments: rest }) }
}

/** Returns the time zone of a city, such as Asia/Tokyo for Tokyo; the text itself when there is none. */
function zoneOf(city: string): string {
  const ending = `/${city.replaceAll(' ', '_').toLowerCase()}`
  const zones = Intl.supportedValuesOf('timeZone')
  return zones.find((zone) => zone.toLowerCase().endsWith(ending)) ?? city
}

const operators: readonly (readonly [RegExp, string])[] = [
  [/(\d),(?=\d{3}\b)/g, '$1'],
  [/\bof\b|\btimes\b|×/g, '*'],
  [/\bplus\b/g, '+'],
  [/\bminus\b/g, '-'],
  [/\bdivided by\b|÷/g, '/'],
]

/** Returns an expression with signs in place of words: "17.5 % of 80" becomes "17.5 % * 80". */
function expressionOf(text: string): string {
  return operators.reduce((all, [word, sign]) => all.replace(word, sign), text.toLowerCase())
}
