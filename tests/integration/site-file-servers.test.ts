import { afterEach, beforeAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import { acceptTools } from '@/lib/toolset/servers/accept-tools'
import { checkServer } from '@/lib/toolset/servers/check'
import { reviewTools } from '@/lib/toolset/servers/review'
import { commandLineOf } from '@/lib/words/command-line'
import { db } from '@/tests/support/fixture-db'
import { scriptedServer, textTool } from '@/tests/support/mcp/script'
import { addPerson } from '@/tests/support/people'
import { addRunSite } from '@/tests/support/run-site'

let admin: Ctx

beforeAll(async () => {
  admin = await addPerson('admin')
})
afterEach(async () => {
  await db().server.deleteMany()
  await db().toolOverride.deleteMany()
})

const hidden = 'hidden-from-everyone'
const tracker = { name: 'tracker', kind: 'http' as const, url: 'https://93.184.216.34/mcp' }
const file = (...servers: object[]) => parseSiteFile(stringify({ toolgate: 2, servers }))
const plan = (...servers: object[]) => planSite(admin, file(...servers))
const apply = (...servers: object[]) => applySite(admin, file(...servers), { reason: 'a release' })
/** Sentence about a new server, whose secrets no file has. */
const without = (name: string) =>
  expect.stringMatching(
    new RegExp(
      `^The server ${name} is added without .*, because a site file has no secrets. If it needs some, enter them before it is used\\.$`,
    ),
  )
const stored = async (name: string) => {
  const { rows } = await serverVerbs.list(admin, { sort: 'name' })
  return rows.find((server) => server.name === name)
}

/** Adds a program with one tool, and accepts the tool, switched on. Returns its command. */
async function addAcceptedProgram(): Promise<string> {
  const program = await scriptedServer({ tools: [textTool('echo')] })
  const command = commandLineOf(program.command)
  const variables = `API_KEY=${hidden}`
  const { id } = await serverVerbs.create(admin, {
    name: 'files',
    kind: 'stdio',
    command,
    variables,
  })
  expect(await checkServer(admin, { id })).toMatchObject({ trouble: null, tools: 1 })
  const [tool] = await reviewTools(admin, { id })
  const facts = { effect: 'read', dataClass: 'content', requiresAdmin: false } as const
  const tools = [{ name: 'files__echo', hash: tool?.hash ?? '', ...facts, enabled: true }]
  await acceptTools(admin, { id, tools })
  await program.close()
  return command
}

test('an export has servers without their secrets and without what was accepted, and changes nothing where it was made', async () => {
  const command = await addAcceptedProgram()
  await serverVerbs.create(admin, { ...tracker, headers: `Authorization: Bearer ${hidden}` })
  const text = await exportSite(admin)
  const usual = { callSeconds: 60, enabled: true }
  expect(parse(text).servers).toEqual([
    { name: 'files', kind: 'stdio', command, cwd: null, ...usual },
    { ...tracker, account: 'none', privateAddressAllowed: false, ...usual },
  ])
  for (const secret of [hidden, 'API_KEY', 'Authorization']) expect(text).not.toContain(secret)
  expect(text).not.toContain('files__echo')
  const unchanged = { steps: [], problems: [], notices: [] }
  expect(await planSite(admin, parseSiteFile(text))).toMatchObject(unchanged)
  const audited = await db().auditEntry.count()
  await applySite(admin, parseSiteFile(text), { reason: 'again' })
  expect(await db().auditEntry.count()).toBe(audited)
  const { id = '' } = (await stored('files')) ?? {}
  expect(await reviewTools(admin, { id })).toMatchObject([{ state: 'accepted', enabled: true }])

  await db().server.deleteMany()
  await db().toolOverride.deleteMany()
  const elsewhere = await applySite(admin, parseSiteFile(text), { reason: 'a new site' })
  expect(elsewhere).toMatchObject({ problems: [], notices: [without('files'), without('tracker')] })
  expect(elsewhere.steps).toMatchObject([
    { key: 'files', type: 'create' },
    { key: 'tracker', type: 'create' },
  ])
})

test('a configuration may allow the tools of a server that is not asked yet', async () => {
  const { configuration: identifier } = await addRunSite('http://127.0.0.1:3')
  const configurations = [{ identifier, allowedToolGroups: ['mcp-tracker'] }]
  const planned = (servers: object[]) =>
    planSite(admin, parseSiteFile(stringify({ toolgate: 2, configurations, servers })))
  expect((await planned([])).problems).toEqual([expect.stringContaining('mcp-tracker')])
  expect((await planned([tracker])).problems).toEqual([])
})

test('a configuration may allow a single tool of a server that is not asked yet', async () => {
  const { configuration: identifier } = await addRunSite('http://127.0.0.1:3')
  const planned = (name: string) => {
    const configurations = [{ identifier, allowedToolGroups: [], allowedTools: [name] }]
    return planSite(
      admin,
      parseSiteFile(stringify({ toolgate: 2, configurations, servers: [tracker] })),
    )
  }
  expect((await planned('tracker__add_note')).problems).toEqual([])
  expect((await planned('trackers__add_note')).problems).toEqual([
    expect.stringContaining('needs the tool trackers__add_note'),
  ])
})

test('a new server has no secrets and no tools, until a person enters and accepts them', async () => {
  const { steps, problems, notices } = await apply(tracker)
  expect({ problems, notices }).toEqual({ problems: [], notices: [without('tracker')] })
  expect(steps).toMatchObject([{ kind: 'servers', key: 'tracker', type: 'create' }])
  expect(await stored('tracker')).toMatchObject({
    enabled: true,
    secrets: [],
    toolCount: 0,
    checkedAt: null,
    callSeconds: 60,
  })
})

test('a change keeps the secrets where calls go to the same host, and needs them again for another', async () => {
  const headers = `Authorization: Bearer ${hidden}`
  await serverVerbs.create(admin, { ...tracker, headers })
  await apply({ name: 'tracker', url: 'https://93.184.216.34/other', callSeconds: 5 })
  expect(await stored('tracker')).toMatchObject({ secrets: ['headers'], callSeconds: 5 })
  const elsewhere = { name: 'tracker', url: 'https://93.184.216.35/mcp' }
  await expect(apply(elsewhere)).rejects.toThrow('Enter the headers again.')
  expect(await stored('tracker')).toMatchObject({ url: 'https://93.184.216.34/other' })
})

test('a file holds no secret, leaves the kind as it was, and leads to no private address by itself', async () => {
  expect(() => file({ ...tracker, headers: 'X: y' })).toThrow('servers 1')
  await serverVerbs.create(admin, tracker)
  const { problems } = await plan({ name: 'tracker', kind: 'stdio' })
  expect(problems).toEqual([
    expect.stringContaining('The server tracker has another kind on this site'),
  ])
  const local = { name: 'local', kind: 'http', url: 'http://127.0.0.1:3/mcp' }
  await expect(apply(local)).rejects.toThrow('This address is on this machine.')
  expect(await stored('local')).toBeUndefined()
})

test('a plan names what a kind lacks, and what it does not have', async () => {
  const { problems } = await plan(
    { name: 'tracker', kind: 'http' },
    { name: 'files', kind: 'stdio', command: 'ls', url: 'https://93.184.216.34/mcp' },
  )
  expect(problems).toEqual([
    'The server tracker, url: Enter the address of the server.',
    'The server files, url: A server of this kind does not have this field. Leave it out.',
  ])
})
