import { expect, test } from 'vitest'
import { builtinTools } from '@/lib/engines/tools/builtin/index.generated'
import { dataClassInSentence, effectWords } from '@/lib/protocol/trust-words'
import { formatDuration } from '@/lib/words/format'

test('docs/tools.md says what each tool is', async () => {
  const groups = [...new Set(builtinTools.map(({ group }) => group))].sort()
  const parts = groups.map((group) => {
    const tools = builtinTools.filter((tool) => tool.group === group)
    return `## ${group}\n\n${tools.map(toolText).join('\n')}`
  })
  const advice =
    'The tools changed: write it again with `npx vitest run tests/tools-document.test.ts -u`.'
  await expect(`${introduction}\n${parts.join('\n')}`, advice).toMatchFileSnapshot(
    '../docs/tools.md',
  )
})

const introduction = `# Built-in tools

Tools that every installation has, by group. **Tools** in the console has them with their switches, and *Try it* on the page of a tool
makes a call. Who may use one: its role, then your groups, configurations, skills and rules, which can only narrow it. A tool reaches
a model if the data it returns may be sent there: *public* and *content* go to every provider, until you say otherwise. A call that
writes waits for approval, until an admin says otherwise. Other tools come from [MCP servers](mcp-servers.md) and from
[your own files](extra-tools.md).

A result over 64 KiB is cut for the model, and its first 5 MiB stay readable in the trace.

## Try a tool over HTTP

\`POST /tools/fetch_logs/call\` with \`{ "arguments": { "limit": 3 }, "configuration": "demo", "dryRun": true }\` calls nothing. \`sent\` is
what the tool would get, with the defaults of what was left out, and \`null\` where it does not take the arguments: then \`issues\` says
why. \`verdict\`, \`decision\` and \`gates\` are those of \`GET /explain\`. \`rules\` are the rules that match these arguments, the most
restrictive first. \`user\` asks for somebody else.

Without \`dryRun\`, the answer has a \`runId\`: a run of your own account with this configuration and this tool alone, in which the demo
stands for the models and makes this one call. No provider is asked, and it costs nothing. Gates, trust zone, rules, approvals, journal
and audit are those of every run, so a call that is refused is in the run with its reason. Its \`source\` is \`try\`, its first event has
\`isTry\` in \`snapshot\`, and usage counts its requests as those of the model \`demo, for tries of tools\`, without a connection. While
no run can start, as in a freeze, a try is refused as well.
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
