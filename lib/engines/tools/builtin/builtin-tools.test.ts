import { describe, expect, it, test } from 'vitest'
import { formatDuration } from '@/lib/protocol/format'
import { schemaTokens } from '@/lib/protocol/tool'
import { dataClassInSentence, effectWords } from '@/lib/protocol/trust-words'
import { builtinTools } from './index.generated'

describe('every built-in tool', () => {
  it('has a name of its own, and its place by name', () => {
    const names = builtinTools.map((tool) => tool.name)
    expect(names).toEqual([...new Set(names)].sort())
  })

  it.each(builtinTools.map((tool) => [tool.name, tool] as const))(
    '%s tells a model in a sentence when to use it, and costs few tokens',
    (_, tool) => {
      expect(tool.description).toMatch(/^[A-Z].{10,1000}\.$/s)
      expect(schemaTokens(tool)).toBeLessThan(500)
      expect(tool.parameters).toMatchObject({ type: 'object', additionalProperties: false })
      expect(tool.parameters).not.toHaveProperty('$schema')
    },
  )

  it.each(builtinTools.map((tool) => [tool.name, tool] as const))(
    '%s takes its own example',
    (_, { schema, example }) => {
      expect(schema.safeParse(example)).toMatchObject({ success: true })
    },
  )
})

// SPEC section 8. Tools that are added later need no line here.
test.each([
  { name: 'fetch_logs', group: 'system' },
  { name: 'get_env', group: 'system' },
  { name: 'get_env_raw', group: 'system', enabledByDefault: false },
  { name: 'get_runtime_info', group: 'system' },
  { name: 'get_runtime_info_raw', group: 'system', enabledByDefault: false },
  { name: 'list_groups', group: 'accounts' },
  { name: 'list_users', group: 'accounts' },
  { name: 'read_asset_meta', group: 'assets', needs: 'storage' },
  { name: 'calculate', group: 'web', requiresAdmin: false },
  { name: 'current_time', group: 'web', requiresAdmin: false },
  { name: 'fetch_url', group: 'web', requiresAdmin: false, needs: 'host' },
  { name: 'verify', group: 'web', requiresAdmin: false },
])('$name reads, and stands on the specified default', (facts) => {
  expect(builtinTools.find(({ name }) => name === facts.name)).toMatchObject({
    effect: 'read',
    requiresAdmin: true,
    enabledByDefault: true,
    ...facts,
  })
})

test('what members may use returns no more than content, so that every model may be offered it', () => {
  const open = builtinTools.filter(({ requiresAdmin }) => !requiresAdmin)
  expect(open.length).toBeGreaterThan(2)
  const tooMuch = open.filter(({ dataClass }) => dataClass !== 'public' && dataClass !== 'content')
  expect(tooMuch).toEqual([])
})

test('docs/tools.md says what each tool is', async () => {
  const groups = [...new Set(builtinTools.map(({ group }) => group))].sort()
  const parts = groups.map((group) => {
    const tools = builtinTools.filter((tool) => tool.group === group)
    return `## ${group}\n\n${tools.map(toolText).join('\n')}`
  })
  const advice =
    'The tools changed: write it again with `npx vitest run lib/engines/tools/builtin/builtin-tools.test.ts -u`.'
  await expect(`${introduction}\n${parts.join('\n')}`, advice).toMatchFileSnapshot(
    '../../../../docs/tools.md',
  )
})

const introduction = `# Built-in tools

Tools that every installation has, by group. **Tools** in the console has them with their switches, and *Try it* on the page of a tool
makes a call. Who may use one: its role, then your groups, configurations, skills and rules, which can only narrow it. A tool reaches
a model if the data it returns may be sent there: *public* and *content* go to every provider, until you say otherwise. A call that
writes waits for approval, until an admin says otherwise. Other tools come from [MCP servers](mcp-servers.md) and from
[your own files](extra-tools.md).

A result over 64 KiB is cut for the model, and its first 5 MiB stay readable in the trace.
`

function toolText(tool: (typeof builtinTools)[number]): string {
  const limits = tool.limits ?? []
  const facts = [
    effectWords[tool.effect],
    `data: ${dataClassInSentence(tool.dataClass)}`,
    tool.requiresAdmin ? 'for admins' : 'for everyone',
    tool.enabledByDefault ? 'on' : 'off until an admin switches it on',
    `time limit ${formatDuration(tool.timeoutMs)}`,
  ]
  const most = limits.length > 0 ? ` At most ${new Intl.ListFormat('en').format(limits)}.` : ''
  const example = JSON.stringify(tool.example)
  return `### \`${tool.name}\`

${tool.description}

${facts.join('; ')}.${most}

For example: \`${example}\`
`
}
