import { expect, test } from 'vitest'
import { readMcpConfig, serverName } from './mcp-config'

const nothing = { url: null, headers: null, command: null, variables: null, problem: null }

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
    },
    {
      ...nothing,
      name: 'remote',
      kind: 'http',
      url: 'https://example.com/mcp',
      headers: 'Authorization: Bearer //x',
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
  ['{"mcpServers":{"a":{"args":1}}}', 'There are no servers in it: it needs'],
])('%s is no list of servers', (text, words) => {
  expect(readMcpConfig(text)).toContain(words)
})

test('a server without an address or a command is named', () => {
  expect(readMcpConfig('{"servers":{"a":{}}}')).toMatchObject([
    { name: 'a', problem: 'It has neither an address nor a command.' },
  ])
})
