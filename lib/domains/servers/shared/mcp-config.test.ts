import { expect, test } from 'vitest'
import { readMcpConfig, serverName } from './mcp-config'

const nothing = {
  url: null,
  headers: null,
  command: null,
  cwd: null,
  variables: null,
  problem: null,
  enabled: true,
  includeTools: [],
  excludeTools: [],
  secrets: [],
  notes: [],
}

/** Reads one entry. */
function read(entry: unknown) {
  const found = readMcpConfig(JSON.stringify({ mcpServers: { a: entry } }))
  if (typeof found === 'string') throw new Error(found)
  return found[0]
}

test('the form of Claude Desktop and Cursor', () => {
  const text = `{
    // my servers
    "mcpServers": {
      "File System": { "command": "npx", "args": ["-y", "@m/fs", "/srv/my docs"], "env": { "A": "1" } },
      "remote": { "url": "https://example.com/mcp", "headers": { "Authorization": "Bearer //x" }, },
    },
  }`
  expect(readMcpConfig(text)).toEqual([
    {
      ...nothing,
      name: 'file-system',
      kind: 'stdio',
      command: "npx -y @m/fs '/srv/my docs'",
      variables: 'A=1',
      secrets: ['A'],
    },
    {
      ...nothing,
      name: 'remote',
      kind: 'http',
      url: 'https://example.com/mcp',
      headers: 'Authorization: Bearer //x',
      secrets: ['Authorization'],
    },
  ])
})

test('the form of VS Code, whose placeholders a person must fill in', () => {
  const servers = {
    github: {
      type: 'sse',
      url: 'https://example.com/sse',
      headers: { 'X-Token': `\${input:token}` },
    },
  }
  expect(readMcpConfig(JSON.stringify({ inputs: [], servers }))).toMatchObject([
    { kind: 'sse', problem: `It needs values for \${input:token}. Write them into the text.` },
  ])
})

test('names are made usable, and each once', () => {
  const servers = { A: { command: 'a' }, a: { command: 'b' }, '123': { command: 'c' } }
  const found = readMcpConfig(JSON.stringify({ mcpServers: servers }))
  expect(found).toMatchObject([{ name: 'server' }, { name: 'a' }, { name: 'a-2' }])
  expect(serverName('Issue Tracker — very long name indeed')).toBe('issue-tracker-very-long')
})

test.each([
  ['npx server', 'This is not JSON'],
  ['{}', 'There are no servers in it: it needs'],
  ['{"mcpServers":{}}', 'There are no servers in it.'],
  ['{"mcpServers":[]}', 'There are no servers in it: it needs'],
])('%s is no list of servers', (text, words) => {
  expect(readMcpConfig(text)).toContain(words)
})

test('a server without an address or a command is named', () => {
  expect(readMcpConfig('{"servers":{"a":{}}}')).toMatchObject([
    { name: 'a', problem: 'It has neither an address nor a command.' },
  ])
})

test('null is not set, a mark before the text is not read, and a command may be a list', () => {
  const entry = { command: ['npx', '-y', 'x'], args: null, env: null, cwd: null, url: null }
  expect(read(entry)).toEqual({ ...nothing, name: 'a', kind: 'stdio', command: 'npx -y x' })
  expect(readMcpConfig('\ufeff{"servers":{"a":{"url":"https://a.example"}}}')).toMatchObject([
    { url: 'https://a.example', problem: null },
  ])
})

test.each([
  [
    { command: 'x', cwd: '/srv/docs' },
    { command: 'x', cwd: '/srv/docs' },
  ],
  [{ httpUrl: 'https://a.example/mcp' }, { kind: 'http', url: 'https://a.example/mcp' }],
  [{ type: 'streamable-http', url: 'https://a.example' }, { kind: 'http' }],
  [{ transport: 'sse', url: 'https://a.example' }, { kind: 'sse' }],
  [
    { command: 'x', disabled: true },
    { enabled: false, notes: ['It is added switched off.'] },
  ],
  [{ command: 'x', enabled: false }, { enabled: false }],
  [
    { command: 'x', disabled: false },
    { enabled: true, notes: [] },
  ],
  [
    { command: 'x', includeTools: ['a', 'b'] },
    { includeTools: ['a', 'b'], notes: ['Ticked in its review: a, b.'] },
  ],
  [
    { command: 'x', excludeTools: ['c'] },
    { excludeTools: ['c'], notes: ['Not ticked in its review: c.'] },
  ],
  [
    { command: 'x', timeout: 5, alwaysAllow: ['a'] },
    { notes: ['Not taken over: timeout, alwaysAllow.'] },
  ],
  [
    { command: 'x', env: { API_KEY: 'abc' } },
    { secrets: ['API_KEY'], variables: 'API_KEY=abc' },
  ],
])('%j is taken over as %j', (entry, expected) => {
  expect(read(entry)).toMatchObject({ ...expected, problem: null })
})

test.each([
  [5, 'It is no object.'],
  [null, 'It is no object.'],
  [{ command: 5 }, 'Its "command" cannot be read.'],
  [{ command: 'x', args: 'y' }, 'Its "args" cannot be read.'],
  [{ command: 'x', env: { A: {} } }, 'Its "env.A" cannot be read.'],
  [{ command: 'x', disabled: 'yes' }, 'Its "disabled" cannot be read.'],
  [{ type: 'ws', url: 'wss://a.example' }, 'Its "type" cannot be read.'],
  [{ command: 'x', url: 'https://a.example' }, 'It has an address and a command. Remove one.'],
  [{ url: 'https://a.example', cwd: '/srv' }, 'It has a working folder and no command.'],
  [{ url: 'https://a.example', env: { A: '1' } }, 'It has variables and no command.'],
  [
    { command: 'x', env: { A: 'b\nC=d' } },
    'The value of A has a line break, which cannot be kept.',
  ],
  [{ command: 'x', env: { A: 'YOUR_API_KEY' } }, 'It needs values for YOUR_API_KEY.'],
  [
    { command: 'x', env: { A: 'your-github-token-here' } },
    'It needs values for your-github-token-here.',
  ],
  [
    { url: 'https://a.example', headers: { A: 'Bearer <your token>' } },
    'It needs values for <your token>.',
  ],
  [{ command: 'x', args: ['/path/to/files'] }, 'It needs values for /path/to/files.'],
  [{ command: 'x', env: { A: 'xxxx' } }, 'It needs values for xxxx.'],
])('%j is named, and keeps no other from being added', (entry, words) => {
  expect(read(entry)?.problem).toContain(words)
  const both = JSON.stringify({ mcpServers: { bad: entry, good: { command: 'x' } } })
  expect(readMcpConfig(both)).toMatchObject([{ name: 'bad' }, { name: 'good', problem: null }])
})

test.each(['https://your.example/mcp', 'sk-yourself-12', 'a < b > c', '/srv/path/tools', 'xx'])(
  '%s stands for nothing else',
  (value) => {
    expect(read({ command: 'x', env: { A: value } })?.problem).toBe(null)
  },
)
