import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { builtinTools } from '@/lib/engines/tools/builtin/index.generated'
import type { ToolSpec } from '@/lib/protocol/tool'
import { understand } from './demo-understand'

type Expected = readonly [name: string, args: Record<string, unknown>]

const issueTool: ToolSpec = {
  name: 'tracker__open_issue',
  description: 'Opens an issue.',
  parameters: {
    type: 'object',
    properties: {
      project: { type: 'string' },
      priority: { type: 'integer', default: 3 },
      kind: { enum: ['bug', 'wish'] },
      urgent: { type: 'boolean' },
    },
    required: ['project', 'priority', 'kind'],
  },
}
const tools: ToolSpec[] = [...builtinTools, issueTool]

const callsOf = (prompt: string, offered: readonly ToolSpec[] = tools) =>
  understand(prompt, offered).calls.map(({ name, argumentsText }) => [
    name,
    JSON.parse(argumentsText),
  ])

const notes = { workspace: 'handbook', path: 'notes.md' }
const orders = { table: 'orders' }

const single: Record<string, Expected> = {
  'Use tracker__open_issue {"project": "a. b", "kind": "wish", "more": {"x": ["}"]}}': [
    'tracker__open_issue',
    { project: 'a. b', kind: 'wish', more: { x: ['}'] } },
  ],
  'Call fetch_logs with {"limit": 3}.': ['fetch_logs', { limit: 3 }],
  'Please use the tool get_env_raw and show what it returns.': ['get_env_raw', {}],
  'Write notes.md in handbook with Hello': ['write_file', { ...notes, content: 'Hello' }],
  'Write "Hello, you." to notes.md in handbook.': [
    'write_file',
    { ...notes, content: 'Hello, you.' },
  ],
  'Please create the file “my notes” in the workspace handbook with the text `a b`': [
    'write_file',
    { workspace: 'handbook', path: 'my notes', content: 'a b' },
  ],
  'Replace "Hello" with "Good day" in notes.md of handbook': [
    'edit_file',
    { ...notes, find: 'Hello', replace: 'Good day' },
  ],
  'Read notes.md in handbook': ['read_file', notes],
  'Which files are in handbook?': ['list_directory', { workspace: 'handbook' }],
  'List the files in the workspace handbook': ['list_directory', { workspace: 'handbook' }],
  'Search the files of handbook for holiday': [
    'search_files_text',
    { workspace: 'handbook', pattern: 'holiday' },
  ],
  'Run git diff "a b.md" in handbook': [
    'exec',
    { workspace: 'handbook', program: 'git', arguments: ['diff', 'a b.md'] },
  ],
  'Search the web for public holidays in Berlin': [
    'web_search',
    { query: 'public holidays in Berlin' },
  ],
  'Read https://example.org/a?b=1.': ['fetch_url', { url: 'https://example.org/a?b=1' }],
  'What does https://example.org say?': ['fetch_url', { url: 'https://example.org' }],
  'How does https://example.org answer?': ['probe_url', { url: 'https://example.org' }],
  'Show the content of the page https://example.org/docs/': [
    'get_page_content',
    { url: 'https://example.org/docs/' },
  ],
  'Which pages does the site docs have?': ['get_page_tree', { site: 'docs' }],
  'Does "All tests passed." contain "passed"?': [
    'verify',
    { checks: [{ kind: 'contains', text: 'All tests passed.', values: ['passed'] }] },
  ],
  'What is 17.5 % of 1,289.40?': ['calculate', { expression: '17.5 % * 1289.40' }],
  'calculate 2+3': ['calculate', { expression: '2+3' }],
  'Calculate round(19.99 times 1.19, 2)': ['calculate', { expression: 'round(19.99 * 1.19, 2)' }],
  'What time is it in Tokyo?': ['current_time', { zone: 'Asia/Tokyo' }],
  'What is the date in New York': ['current_time', { zone: 'America/New_York' }],
  'Tell me the time in Atlantis': ['current_time', { zone: 'Atlantis' }],
  'What day is it?': ['current_time', {}],
  'Remember that reports are written in German.': [
    'memory_write',
    { mode: 'add', content: 'reports are written in German' },
  ],
  'What do you remember about reports?': ['memory_read', { query: 'reports' }],
  'What do you remember?': ['memory_read', {}],
  'Show the last 5 warnings of the log': ['fetch_logs', { level: 'warn', limit: 5 }],
  'Show the logs': ['fetch_logs', {}],
  'Which environment variables are there?': ['get_env', {}],
  'What is the uptime of the server?': ['get_runtime_info', {}],
  'Send "The report is ready." to the channel "On call"': [
    'send_message',
    { channel: 'On call', text: 'The report is ready.' },
  ],
  'Post We go to Berlin to ops': ['send_message', { channel: 'ops', text: 'We go to Berlin' }],
  'Ask the configuration demo: "What is 17.5 % of 80?"': [
    'spawn_run',
    { configuration: 'demo', prompt: 'What is 17.5 % of 80?' },
  ],
  'What is the status of this installation?': ['get_system_status', {}],
  'List the schedules': ['list_schedules', {}],
  'Which storages are there?': ['list_storages', {}],
  'And who of them are admins?': ['list_users', {}],
  'List all groups': ['list_groups', {}],
  'Which tables may I read?': ['get_schema', {}],
  'Read 5 rows of orders': ['read_records', { ...orders, limit: 5 }],
  'Show the records of the table orders where status is open': [
    'read_records',
    { ...orders, filters: [{ column: 'status', value: 'open' }] },
  ],
  'Search the records of orders for "blue shoes"': [
    'search_records',
    { ...orders, text: 'blue shoes' },
  ],
  'Run the query "SELECT count(*) FROM public.orders"': [
    'run_query',
    { sql: 'SELECT count(*) FROM public.orders' },
  ],
  'Change status from "open" to "paid" in the row of orders where id is 7': [
    'update_record',
    { ...orders, key: { id: '7' }, set: { status: 'paid' }, was: { status: 'open' } },
  ],
  'Show the history of the row of orders where id is 7': [
    'get_record_history',
    { ...orders, key: { id: '7' } },
  ],
  'Add a row to orders with status "open"': [
    'insert_record',
    { ...orders, values: { status: 'open' } },
  ],
}

test.each(Object.entries(single))('“%s” asks for one call', (prompt, expected) => {
  expect(understand(prompt, tools).unknown).toEqual([])
  expect(callsOf(prompt)).toEqual([expected])
})

const written = ['write_file', { ...notes, content: 'Hello' }]
const several: Record<string, readonly unknown[]> = {
  'First write notes.md in handbook with "Hello", then read it.': [written, ['read_file', notes]],
  'Write "Hello" to notes.md in handbook and then read it back': [written, ['read_file', notes]],
  '1. What time is it in Tokyo?\n2. List the groups\n- Calculate 1 + 1; use get_env {}': [
    ['current_time', { zone: 'Asia/Tokyo' }],
    ['list_groups', {}],
    ['calculate', { expression: '1 + 1' }],
    ['get_env', {}],
  ],
}

test.each(Object.entries(several))('“%s” asks for several calls, in order', (prompt, expected) => {
  expect(callsOf(prompt)).toEqual(expected)
})

test('each sentence of docs/first-run.md calls the tool beside it', () => {
  const rows = readFileSync('docs/first-run.md', 'utf8').matchAll(/^\| (.+) \| (`.+`) \|$/gm)
  const shown = [...rows].flatMap(([, said = '', called = '']) => {
    const names = called.match(/\w+/g) ?? []
    const sentences = said.replace('as a critic: ', '').split(' · ')
    const nameAt = (at: number) => names[at] ?? names.at(-1)
    return sentences.length > 1
      ? sentences.map((each, at) => ({ said: each, names: [nameAt(at)] }))
      : [{ said, names }]
  })
  expect(shown.length).toBeGreaterThan(25)
  for (const { said, names } of shown) {
    const { calls, unknown } = understand(said, tools, 'All passed.')
    expect({ said, names: calls.map(({ name }) => name), unknown }).toEqual({
      said,
      names,
      unknown: [],
    })
  }
})

describe('arguments that a prompt does not give', () => {
  it('come from the example of the tool, else from its schema, and are named', () => {
    expect(understand('Write notes.md with Hello', tools).calls).toEqual([
      {
        name: 'write_file',
        argumentsText: '{"path":"notes.md","content":"Hello","workspace":"handbook"}',
        filled: ['workspace'],
      },
    ])
    expect(understand('Use tracker__open_issue', tools).calls).toEqual([
      {
        name: 'tracker__open_issue',
        argumentsText: '{"project":"…","priority":3,"kind":"bug"}',
        filled: ['project', 'priority', 'kind'],
      },
    ])
  })

  it('stay away of a tool that is not offered', () => {
    expect(callsOf('Use web_search', [])).toEqual([['web_search', {}]])
    expect(callsOf('Use other_server__sing', [])).toEqual([['other_server__sing', {}]])
  })
})

describe('a prompt that asks for no tool', () => {
  it.each([
    'Hello',
    'Sing a song',
    'Write a poem about spring',
    'Use it.',
    'Call me',
    'Answer in German. Use the tool.',
    'What time is it in Tokyo and in Berlin?',
    'Use web_search for "tool calling"',
    'Use get_env "{}"',
    '} Use get_env {}',
    'and then',
    '',
    '{',
    '"',
  ])('“%s” is not understood', (prompt) => {
    expect(callsOf(prompt)).toEqual([])
  })

  it('is named beside what was understood', () => {
    expect(understand('List the groups. Sing a song, "la. la" \uE000!', tools)).toMatchObject({
      calls: [{ name: 'list_groups' }],
      unknown: ['Sing a song, "la. la" \uE000'],
    })
  })
})

describe('hostile prompts', () => {
  it.each([
    ['marks', '"“`{'.repeat(500)],
    ['quotes', '"" '.repeat(6_600)],
    ['braces', `${'{'.repeat(9_000)}${'}'.repeat(9_000)}`],
    ['paths', `read ${'a/'.repeat(190)}`],
    ['places', `write a to ${'b/c in '.repeat(50)}`],
    ['rows', `show 1 rows of ${'a where b is '.repeat(25)}`],
    ['sums', `what is ${'1 of '.repeat(80)}x`],
    ['lists', `list ${'a tables '.repeat(40)}`],
  ])('of many %s are read at once, and ask for one call at most', (_, prompt) => {
    const start = performance.now()
    expect(understand(prompt, tools).calls.length).toBeLessThanOrEqual(1)
    expect(performance.now() - start).toBeLessThan(1_000)
  })

  it('that are long are read only if they are calls of named tools', () => {
    const blank = ' '.repeat(4_000)
    expect(callsOf(`List the groups.${blank}`)).toEqual([])
    expect(callsOf(`Use list_groups. List the groups.${blank}`)).toEqual([])
    expect(callsOf(`Use list_groups {}.${blank}\nUse list_users`)).toEqual([
      ['list_groups', {}],
      ['list_users', {}],
    ])
    expect(callsOf(`Use list_groups${' '.repeat(20_000)}`)).toEqual([])
  })
})

// Read in the process that serves everybody. One of them took seconds when its time grew with the square of its length.
it.each([
  [
    'gaps',
    Array(5)
      .fill(`list${' '.repeat(390)}x`)
      .join('\n'),
  ],
  ['unclosed quotes', '“'.repeat(20_000)],
  ['escaped quotes', `"${'\\"'.repeat(9_000)}`],
  ['commas', ','.repeat(20_000)],
  ['braces', '{'.repeat(20_000)],
])('a prompt of %s is read a hundred times', (_name, prompt) => {
  for (let times = 0; times < 100; times++) callsOf(prompt)
})
