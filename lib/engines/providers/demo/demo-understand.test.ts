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
      title: { type: 'string' },
      priority: { type: 'integer', default: 3 },
      kind: { enum: ['bug', 'wish'] },
      labels: { type: 'array', items: { type: 'string' } },
      urgent: { type: 'boolean' },
    },
    required: ['project', 'title', 'priority', 'kind'],
  },
}
const tools: ToolSpec[] = [...builtinTools, issueTool]

const callsOf = (prompt: string, offered: readonly ToolSpec[] = tools) =>
  understand(prompt, offered).calls.map(({ name, argumentsText }) => [
    name,
    JSON.parse(argumentsText),
  ])

const notes = { workspace: 'handbook', path: 'notes.md' }
const id = '0198a000-0000-7000-8000-000000000001'

const single: (readonly [prompt: string, expected: Expected])[] = [
  [
    'Use write_file in handbook to write notes.md with Hello',
    ['write_file', { ...notes, content: 'Hello' }],
  ],
  [
    'Write "Hello, you." to notes.md in handbook.',
    ['write_file', { ...notes, content: 'Hello, you.' }],
  ],
  ['Write Hello to notes.md in handbook', ['write_file', { ...notes, content: 'Hello' }]],
  [
    'Please create the file notes.md in the workspace handbook with the text “a b”',
    ['write_file', { ...notes, content: 'a b' }],
  ],
  [
    'Save notes.md with Hello over there in handbook',
    ['write_file', { ...notes, content: 'Hello over there' }],
  ],
  [
    'write docs/api/start.md in handbook saying: Begin in Berlin!',
    ['write_file', { ...notes, path: 'docs/api/start.md', content: 'Begin in Berlin' }],
  ],
  [
    'Replace "Hello" with "Good day" in notes.md of handbook',
    ['edit_file', { ...notes, find: 'Hello', replace: 'Good day' }],
  ],
  [
    'In handbook, change "a" to "b" in notes.md',
    ['edit_file', { ...notes, find: 'a', replace: 'b' }],
  ],
  ['Read notes.md in handbook', ['read_file', notes]],
  ['What does the file notes.md of handbook say?', ['read_file', notes]],
  [
    'Show lines 10 to 20 of notes.md in handbook',
    ['read_file', { ...notes, start: 10, lines: 11 }],
  ],
  ['Read the first 5 lines of notes.md in handbook', ['read_file', { ...notes, lines: 5 }]],
  ['Which files are in handbook?', ['list_directory', { workspace: 'handbook' }]],
  ['List the folder docs of handbook', ['list_directory', { workspace: 'handbook', path: 'docs' }]],
  ['List the files in the workspace handbook', ['list_directory', { workspace: 'handbook' }]],
  [
    'Search the files of handbook for holiday',
    ['search_files_text', { workspace: 'handbook', pattern: 'holiday' }],
  ],
  [
    'Find "public holiday" in *.md of handbook',
    ['search_files_text', { workspace: 'handbook', pattern: 'public holiday', glob: '*.md' }],
  ],
  [
    'Search handbook for holiday',
    ['search_files_text', { workspace: 'handbook', pattern: 'holiday' }],
  ],
  [
    'Run git log in handbook',
    ['exec', { workspace: 'handbook', program: 'git', arguments: ['log'] }],
  ],
  [
    'Run "git log --oneline -5" in handbook',
    ['exec', { workspace: 'handbook', program: 'git', arguments: ['log', '--oneline', '-5'] }],
  ],
  [
    'Use exec in handbook to run git status',
    ['exec', { workspace: 'handbook', program: 'git', arguments: ['status'] }],
  ],
  [
    'In handbook, run git diff "a b.md"',
    ['exec', { workspace: 'handbook', program: 'git', arguments: ['diff', 'a b.md'] }],
  ],
  [
    'Search the web for public holidays in Berlin',
    ['web_search', { query: 'public holidays in Berlin' }],
  ],
  ['Look up tool calling on the web', ['web_search', { query: 'tool calling' }]],
  ['Use web_search for "tool calling"', ['web_search', { query: 'tool calling' }]],
  ['Read https://example.org/a?b=1.', ['fetch_url', { url: 'https://example.org/a?b=1' }]],
  ['What does https://example.org say?', ['fetch_url', { url: 'https://example.org' }]],
  [
    'Check whether https://example.org answers',
    ['verify', { checks: [{ kind: 'url_head', url: 'https://example.org' }] }],
  ],
  [
    'Does "All tests passed." contain "passed"?',
    ['verify', { checks: [{ kind: 'contains', text: 'All tests passed.', values: ['passed'] }] }],
  ],
  [
    'Verify that "abc" does not contain "d"',
    ['verify', { checks: [{ kind: 'not_contains', text: 'abc', values: ['d'] }] }],
  ],
  [
    'Check that {"a": 1} is valid JSON',
    ['verify', { checks: [{ kind: 'json_valid', text: '{"a": 1}' }] }],
  ],
  [
    'Verify that "abc" has at least 2 characters',
    ['verify', { checks: [{ kind: 'min_length', text: 'abc', length: 2 }] }],
  ],
  [
    'Does "a1" match "[a-z][0-9]"?',
    ['verify', { checks: [{ kind: 'regex_match', text: 'a1', pattern: '[a-z][0-9]' }] }],
  ],
  ['What is 17.5 % of 1,289.40?', ['calculate', { expression: '17.5 % * 1289.40' }]],
  ['Calculate 12 times 7 plus 1', ['calculate', { expression: '12 * 7 + 1' }]],
  [
    'Use calculate for "round(19.99 * 1.19, 2)"',
    ['calculate', { expression: 'round(19.99 * 1.19, 2)' }],
  ],
  ['What time is it in Tokyo?', ['current_time', { zone: 'Asia/Tokyo' }]],
  ['What is the date in New York now?', ['current_time', { zone: 'America/New_York' }]],
  ['Tell me the time in Atlantis', ['current_time', { zone: 'Atlantis' }]],
  ['Which day is it?', ['current_time', {}]],
  [
    'Remember that reports are written in German.',
    ['memory_write', { mode: 'add', content: 'reports are written in German' }],
  ],
  [`Forget the note ${id}`, ['memory_write', { mode: 'delete', note: id }]],
  ['What do you remember about reports?', ['memory_read', { query: 'reports' }]],
  ['Show your notes', ['memory_read', {}]],
  ['Show the last 5 warnings of the log', ['fetch_logs', { level: 'warn', limit: 5 }]],
  ['Which environment variables are there?', ['get_env', {}]],
  ['Use get_env_raw', ['get_env_raw', {}]],
  ['What is the uptime of the server?', ['get_runtime_info', {}]],
  [
    'Send "The report is ready." to the channel "On call"',
    ['send_message', { channel: 'On call', text: 'The report is ready.' }],
  ],
  ['Post We are back to ops', ['send_message', { channel: 'ops', text: 'We are back' }]],
  [
    'Ask the configuration demo: "What is 17.5 % of 80?"',
    ['spawn_run', { configuration: 'demo', prompt: 'What is 17.5 % of 80?' }],
  ],
  ['What was the last exception?', ['get_last_exception', {}]],
  ['What is the status of this installation?', ['get_system_status', {}]],
  ['Which packages are installed?', ['list_dependencies', {}]],
  ['List the schedules', ['list_schedules', {}]],
  ['How many users are there?', ['list_users', {}]],
  ['List all groups', ['list_groups', {}]],
  [`What is known about the asset ${id}?`, ['read_asset_meta', { uid: id }]],
  [
    'Use tracker__open_issue in website with title="It is slow" kind=bug urgent=true labels=a,b',
    [
      'tracker__open_issue',
      {
        title: 'It is slow',
        kind: 'bug',
        urgent: true,
        labels: ['a', 'b'],
        project: 'website',
        priority: 3,
      },
    ],
  ],
  [
    'Call tracker__open_issue {"project": "x", "title": "y", "kind": "wish", "priority": 1}',
    ['tracker__open_issue', { project: 'x', title: 'y', kind: 'wish', priority: 1 }],
  ],
]

test.each(single)('“%s” asks for one call', (prompt, expected) => {
  expect(callsOf(prompt)).toEqual([expected])
})

const several: (readonly [prompt: string, expected: readonly Expected[]])[] = [
  [
    'First write notes.md in handbook with "Hello", then read it.',
    [
      ['write_file', { ...notes, content: 'Hello' }],
      ['read_file', notes],
    ],
  ],
  [
    'Write notes.md in handbook with Hello and read it back',
    [
      ['write_file', { ...notes, content: 'Hello' }],
      ['read_file', notes],
    ],
  ],
  [
    '1. What time is it in Tokyo?\n2. List the groups\n- Calculate 1 + 1',
    [
      ['current_time', { zone: 'Asia/Tokyo' }],
      ['list_groups', {}],
      ['calculate', { expression: '1 + 1' }],
    ],
  ],
  [
    'List the files in handbook; then run git log',
    [
      ['list_directory', { workspace: 'handbook' }],
      ['exec', { workspace: 'handbook', program: 'git', arguments: ['log'] }],
    ],
  ],
]

test.each(several)('“%s” asks for several calls, in order', (prompt, expected) => {
  expect(callsOf(prompt)).toEqual(expected)
})

describe('what a prompt does not say', () => {
  it('comes from the example of the tool, else from its schema, and is named', () => {
    const { calls } = understand('Write notes.md with Hello', tools)
    expect(calls).toEqual([
      {
        name: 'write_file',
        argumentsText: '{"path":"notes.md","content":"Hello","workspace":"handbook"}',
        filled: ['workspace'],
      },
    ])
    const [opened] = understand('Use tracker__open_issue', tools).calls
    expect(opened).toEqual({
      name: 'tracker__open_issue',
      argumentsText: '{"project":"…","title":"…","priority":3,"kind":"bug"}',
      filled: ['project', 'title', 'priority', 'kind'],
    })
  })

  it('stays away of a tool that is not offered', () => {
    expect(callsOf('Use web_search', [])).toEqual([['web_search', {}]])
    expect(callsOf('Use other_server__sing', [])).toEqual([['other_server__sing', {}]])
  })
})

describe('what asks for no tool', () => {
  it.each(['Hello', 'Sing a song', 'Write a poem about spring', 'and then', '', '{', '"'])(
    '“%s” is not understood',
    (prompt) => {
      expect(callsOf(prompt)).toEqual([])
    },
  )

  it('is named beside what was understood', () => {
    expect(understand('List the groups. Sing a song, "la la"!', tools)).toMatchObject({
      calls: [{ name: 'list_groups' }],
      unknown: ['Sing a song, "la la"'],
    })
  })
})

describe('hostile prompts', () => {
  it.each([
    ['marks', '"“`{'.repeat(1_000)],
    ['names', 'use constructor __proto__ '.repeat(150)],
    ['paths', `read ${'a/'.repeat(1_900)}`],
    ['dots', `read ${'a.'.repeat(1_900)}`],
    ['and', 'find it and '.repeat(330)],
    ['quotes', `${'verify "a" '.repeat(360)}`],
  ])('of many %s ask for one call at most', (_, prompt) => {
    expect(callsOf(prompt).length).toBeLessThanOrEqual(1)
  })

  it('that are long are not read', () => {
    expect(callsOf(`List the groups.${' '.repeat(4_000)}`)).toEqual([])
  })

  it('cannot reach what every object has', () => {
    const { calls } = understand('Use tracker__open_issue __proto__=1 constructor=2', tools)
    expect(Object.keys(JSON.parse(calls[0]?.argumentsText ?? ''))).toEqual([
      'project',
      'title',
      'priority',
      'kind',
    ])
    expect(callsOf('Use the tool __proto__')).toEqual([])
  })
})

const aboutResources: (readonly [
  prompt: string,
  expected: readonly [string, Record<string, unknown>],
])[] = [
  ['Which pages does the site docs have?', ['get_page_tree', { site: 'docs' }]],
  ['List the pages of docs', ['get_page_tree', { site: 'docs' }]],
  [
    'Show the content of the page https://example.org/docs/start',
    ['get_page_content', { url: 'https://example.org/docs/start' }],
  ],
  ['Probe https://example.org/docs/', ['probe_url', { url: 'https://example.org/docs/' }]],
  ['How does https://example.org answer?', ['probe_url', { url: 'https://example.org' }]],
  ['Which tables may I read?', ['get_schema', {}]],
  ['Show the tables of the data source shop', ['get_schema', { source: 'shop' }]],
  ['Describe the columns of orders', ['get_schema', { table: 'orders' }]],
  ['Read 5 records of orders', ['read_records', { table: 'orders', limit: 5 }]],
  [
    'Show the records of the table orders where status is open',
    ['read_records', { table: 'orders', filters: [{ column: 'status', value: 'open' }] }],
  ],
  [
    'Search the records of orders for "blue shoes"',
    ['search_records', { table: 'orders', text: 'blue shoes' }],
  ],
  [
    'Run the query "SELECT count(*) FROM public.orders"',
    ['run_query', { sql: 'SELECT count(*) FROM public.orders' }],
  ],
  [
    'Change status from "open" to "paid" in the row of orders where id is 7',
    [
      'update_record',
      {
        table: 'orders',
        key: { id: '7' },
        set: { status: 'paid' },
        was: { status: 'open' },
      },
    ],
  ],
  [
    'Show the history of the row of orders where id is 7',
    ['get_record_history', { table: 'orders', key: { id: '7' } }],
  ],
  [
    'What happened to the record of the table orders where id is 7?',
    ['get_record_history', { table: 'orders', key: { id: '7' } }],
  ],
  [
    'Add a row to orders with status "open" and total 5',
    ['insert_record', { table: 'orders', values: { status: 'open', total: '5' } }],
  ],
]

test.each(aboutResources)('“%s” asks for one call', (prompt, expected) => {
  const { calls } = understand(prompt, builtinTools)
  const understood = calls.map(({ name, argumentsText }) => [name, JSON.parse(argumentsText)])
  expect(understood).toEqual([expected])
})
