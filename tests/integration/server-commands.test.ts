import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandLineOf } from '@/lib/words/command-line'
import { db } from '@/tests/support/fixture-db'
import { type Script, scriptedServer, textTool } from '@/tests/support/mcp/script'
import { addPerson } from '@/tests/support/people'
import { toolgate } from '@/tests/support/toolgate-process'

const close: (() => Promise<unknown>)[] = []

// The command line acts as an admin.
beforeAll(() => addPerson('admin'))
afterAll(async () => {
  await db().server.deleteMany()
  await db().toolOverride.deleteMany()
  for (const each of close) await each()
})

const hidden = 'hidden-from-everyone'
const script: Script = { tools: [textTool('echo'), textTool('remove_all')] }

async function program(does: Script = script) {
  const made = await scriptedServer(does)
  close.push(made.close)
  return made
}

/** Runs a command that has to succeed, and returns what it prints. */
async function printed(args: string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await toolgate(args, { input })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

const jsonOf = async (args: string[], input = '') =>
  JSON.parse(await printed([...args.slice(0, 2), '--json', ...args.slice(2)], input))

test('commands add a program, read its tools, and accept them', async () => {
  const { command, change } = await program()
  const add = ['server', 'add', 'files', '--no-check', '--', ...command]
  const { id, ...server } = await jsonOf(add)
  expect(server).toMatchObject({ kind: 'stdio', command: commandLineOf(command), checkedAt: null })
  expect(await printed(['server', 'tools', id])).not.toContain('files__echo')

  const checked = await printed(['server', 'check', id])
  expect(checked).toContain('toolgate: initialize')
  expect(checked).toMatch(/It has 2 tools, 2 of them to review\.\n$/)
  expect(await printed(['server', 'show', id])).toContain('It calls itself scripted 1.0.0')
  const listed = await printed(['server', 'tools', id])
  expect(listed).toMatch(/^NAME +REVIEW +STATE +EFFECT +DATA CLASS +WHO +CONCERNS +NOTES\n/)
  expect(listed).toMatch(
    /^files__echo +new +off +write +secret-adjacent +admins +0 configurations, 0 skills, 0 rules, 0 calls/m,
  )

  const said = ['--effect', 'read', '--data-class', 'content', '--members', '--enable']
  const accept = ['server', 'accept', id, '--tool', 'echo', ...said, '--reason', 'looked at']
  expect(await printed(accept)).toMatch(/^files__echo +accepted +on +read +content +all/m)
  expect(await jsonOf(['server', 'tools', id])).toMatchObject([
    { name: 'files__echo', state: 'accepted', enabled: true, requiresAdmin: false },
    { name: 'files__remove_all', state: 'new', enabled: false, requiresAdmin: true },
  ])
  expect(
    await db().auditEntry.findMany({
      where: { objectId: 'files__echo' },
      select: { action: true, reason: true },
      orderBy: { id: 'asc' },
    }),
  ).toEqual([
    { action: 'tool.accept', reason: 'looked at' },
    { action: 'tool.switch-on', reason: 'looked at' },
  ])

  const looked = ['server', 'accept', id, '--tool', 'remove_all']
  const paths = ['--look-argument', 'text=$.text', '--look-becomes', '$.text']
  const look = { tool: 'echo', arguments: { text: '$.text' }, becomes: '$.text' }
  expect(await jsonOf([...looked, '--look', 'echo', ...paths])).toMatchObject([{ look }])
  expect(await jsonOf([...looked, '--members'])).toMatchObject([{ look }])
  expect(await jsonOf([...looked, '--look', 'proposed'])).toMatchObject([{ look: null }])
  expect(await jsonOf([...looked, '--look', 'echo', ...paths])).toMatchObject([{ look }])
  expect(await jsonOf([...looked, '--look', 'none'])).toMatchObject([{ look: null }])
  expect(await toolgate(['server', 'accept', id, '--look', 'echo'])).toMatchObject({
    stderr: expect.stringContaining('A look is for one.'),
  })

  change({ tools: [textTool('echo', { description: 'Another.' })] })
  expect(await printed(['server', 'test', id])).toContain('It has 1 tool, to review.')
  expect(await printed(['server', 'tools', id])).toMatch(/^files__echo +changed +on /m)
  expect(await printed(['server', 'tools', id])).toMatch(/^files__remove_all +gone /m)
  expect(await printed(['server', 'list'])).toMatch(/files +on +stdio +1 +1 /)
  expect(await jsonOf(['server', 'accept', id])).toMatchObject([
    { name: 'files__echo', state: 'accepted', effect: 'read', enabled: true },
  ])
  expect(await printed(['server', 'delete', id])).toBe('Deleted the server.\n')
  expect(await db().toolOverride.count({ where: { toolName: 'files__echo' } })).toBe(0)
})

test('a server that is added is connected to, and its tools are shown', async () => {
  const { command } = await program()
  const added = await printed(['server', 'add', 'shown', '--', ...command])
  expect(added).toMatch(/^Added shown \([0-9a-f-]{36}\)\.\ntoolgate: /)
  expect(added).toMatch(/It has 2 tools, 2 of them to review\.\n$/)
  const json = await jsonOf(['server', 'add', 'told', '--', ...command])
  expect(json).toMatchObject({ name: 'told', saidName: 'scripted', toolCount: 2 })
  const off = await printed(['server', 'add', 'resting', '--disabled', '--', ...command])
  expect(off).toMatch(/^Added resting \([0-9a-f-]{36}\)\.\n$/)
  const gone = await toolgate(['server', 'add', 'ends', '--', ...command.slice(0, 1), '-e', '1'])
  expect(gone).toMatchObject({ code: 0, stdout: expect.stringContaining('The program ended') })
})

test('a check that fails says why, with exit code 1', async () => {
  const { command } = await program({ ...script, endsWhenAsked: true })
  const gone = [...command.slice(0, 1), '-e', 'process.exit(3)']
  const { id, downSince } = await jsonOf(['server', 'add', 'gone', '--', ...gone])
  expect(downSince).toEqual(expect.any(String))
  const failed = await toolgate(['server', 'check', id])
  expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('exit code 3') })
  expect(await printed(['server', 'list'])).toMatch(
    /gone +on +stdio +0 +0 +not since .*exit code 3/,
  )
  expect(await toolgate(['server', 'check', 'nothing'])).toMatchObject({ code: 1, stdout: '' })
  await printed(['server', 'edit', id, '--command', commandLineOf(command)])
  expect(await jsonOf(['server', 'check', id])).toMatchObject({ trouble: null, tools: 2 })
  for (const wrong of [['--effect', 'none'], ['--data-class', 'any'], ['--tool']]) {
    expect(await toolgate(['server', 'accept', id, ...wrong])).toMatchObject({
      code: 2,
      stdout: '',
    })
  }
  const unknown = await toolgate(['server', 'accept', id, '--tool', 'nowhere'])
  expect(unknown).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('This server has no tool named nowhere.'),
  })
})

test('secrets are read from standard input and printed nowhere', async () => {
  const url = 'https://93.184.216.34/mcp'
  const add = ['server', 'add', 'tracker', '--no-check', '--url', url, '--headers-stdin']
  const { id } = await jsonOf(add, `Authorization: Bearer ${hidden}\nX-Team: ${hidden}\n`)
  const shown = await printed(['server', 'show', id])
  expect(shown).toContain('Secrets: Authorization, X-Team')
  const edit = ['server', 'edit', id, '--call-seconds', '30', '--reason', 'slow']
  const all = [shown, await printed(edit), await printed(['server', 'list', '--json'])].join('')
  expect(all).not.toContain(hidden)
  const elsewhere = ['server', 'edit', id, '--url', 'https://93.184.216.35/mcp']
  const refused = await toolgate(elsewhere)
  expect(refused).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('Enter the headers again.'),
  })
  expect(await toolgate(['server', 'add', 'nothing'])).toMatchObject({ code: 2, stdout: '' })
  const both = [...add.slice(0, 2), 'both', '--headers-stdin', '--variables-stdin', '--url', url]
  expect(await toolgate(both, { input: 'X: y' })).toMatchObject({ code: 2, stdout: '' })
})

test('an mcp.json adds what can be added, and says what cannot', async () => {
  const { command: [line = '', ...args] = [] } = await program()
  const text = JSON.stringify({
    mcpServers: {
      'My Files': { command: line, args, env: { API_KEY: hidden } },
      asks: { url: 'https://93.184.216.34/mcp', headers: { Authorization: '\u0024{input:token}' } },
      metadata: { url: 'http://169.254.169.254/mcp' },
      broken: 5,
      off: {
        command: line,
        args,
        cwd: tmpdir(),
        disabled: true,
        timeout: 5,
        includeTools: ['echo'],
      },
    },
  })
  const { code, stdout, stderr } = await toolgate(['server', 'import', '-'], { input: text })
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout.split('\n')).toEqual([
    'my-files: added',
    expect.stringMatching(/^asks: It needs values for \$\{input:token\}\. Write them/),
    expect.stringContaining('metadata: This address is link-local'),
    'broken: It is no object.',
    'off: added Not taken over: timeout. It is added switched off. Ticked in its review: echo.',
    '',
  ])
  const found = await db().server.findMany({ where: { name: { in: ['my-files', 'asks'] } } })
  expect(found).toMatchObject([{ name: 'my-files', variableNames: ['API_KEY'] }])
  const off = await db().server.findUniqueOrThrow({ where: { name: 'off' } })
  expect(off).toMatchObject({ enabled: false, cwd: tmpdir(), includeTools: ['echo'] })
  await printed(['server', 'check', 'off'])
  expect(await jsonOf(['server', 'tools', 'off'])).toMatchObject([
    { remoteName: 'echo', preselected: true },
    { remoteName: 'remove_all', preselected: false },
  ])
  const accepted = await printed(['server', 'accept', 'off'])
  expect(accepted).toContain('the imported mcp.json leaves it out: remove_all. Name it with --tool')
  expect(await jsonOf(['server', 'tools', 'off'])).toMatchObject([
    { remoteName: 'echo', state: 'accepted', preselected: null },
    { remoteName: 'remove_all', state: 'new', preselected: false },
  ])
  await printed(['server', 'accept', 'off', '--tool', 'remove_all'])
  const [{ id = '' } = {}] = found
  expect(await jsonOf(['server', 'check', id])).toMatchObject({ trouble: null, tools: 2 })
  const again = await toolgate(['server', 'import', '-'], { input: text })
  expect(again.stdout).toContain('my-files: Another server has this name.')
  const nothing = await toolgate(['server', 'import', '-'], { input: 'not json' })
  expect(nothing).toMatchObject({ code: 2, stdout: '' })
  expect(nothing.stderr).toContain('This is not JSON.')
})

test('known servers are listed, and added with what they ask for', async () => {
  const listed = await printed(['server', 'known'])
  expect(listed).toMatch(/^SERVER +REACHED BY +ASKS FOR +WHAT IT DOES +CHECKED\n/)
  expect(listed).toMatch(
    /^filesystem +npx -y @modelcontextprotocol\/server-filesystem +the folders/m,
  )
  expect(await jsonOf(['server', 'known'])).toContainEqual(
    expect.objectContaining({ name: 'github', source: expect.stringContaining('github.com') }),
  )

  const docs = ['server', 'add', 'docs', '--no-check', '--known', 'filesystem']
  expect(await jsonOf([...docs, '--', '/srv/my docs'])).toMatchObject({
    command: "npx -y @modelcontextprotocol/server-filesystem '/srv/my docs'",
    checkedAt: null,
  })
  expect(await toolgate([...docs])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('Add the folders that it may use at the end of the command.'),
  })
  const code = ['server', 'add', 'code', '--no-check', '--known', 'notion', '--variables-stdin']
  expect(await jsonOf(code, `NOTION_TOKEN=${hidden}`)).toMatchObject({
    kind: 'stdio',
    variableNames: ['NOTION_TOKEN'],
  })
  const github = ['server', 'add', 'gh', '--known', 'github', '--headers-stdin']
  for (const [more, says] of [
    [['--url', 'https://93.184.216.34/mcp'], 'Give --known or --url, not both.'],
    [['--sse'], 'Give --known or --sse, not both.'],
    [['--', 'word'], 'github has an address'],
  ] as const) {
    const input = `Authorization: Bearer ${hidden}`
    const stderr = expect.stringContaining(says)
    expect(await toolgate([...github, ...more], { input })).toMatchObject({ code: 2, stderr })
  }
  const program = ['--known', 'notion', '--url', 'https://93.184.216.34/mcp', '--variables-stdin']
  expect(
    await toolgate(['server', 'add', 'no', ...program], { input: 'NOTION_TOKEN=x' }),
  ).toMatchObject({ code: 2, stderr: expect.stringContaining('not both') })
  const wrong = await toolgate(['server', 'add', 'wrong', '--known', 'nothing'])
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('named nothing') })
})

test('descriptions of a server cannot steer the terminal', async () => {
  const said = 'Line\u009b2J \u202eone\nforged is on.'
  const properties = { text: { type: 'string', description: said } }
  const schema = { inputSchema: { type: 'object', properties } }
  const tools = ['seen', 'kept'].map((name) => textTool(name, { description: said, ...schema }))
  const { command } = await program({ tools })
  const { id } = await jsonOf(['server', 'add', 'steers', '--', ...command])
  await printed(['server', 'check', id])
  await printed(['server', 'accept', id, '--tool', 'kept'])
  for (const name of ['steers__seen', 'steers__kept']) {
    const shown = await printed(['tools', 'show', name])
    expect(shown).not.toMatch(/[\u0080-\u009f\u200b-\u200f\u2028-\u202e]|^forged/m)
    expect(shown).toContain('"description": "Line\\u009b2J \\u202eone\\nforged is on."')
  }
  expect(await printed(['tools', 'show', 'steers__kept'])).toContain('\n  forged is on.\n')
})
