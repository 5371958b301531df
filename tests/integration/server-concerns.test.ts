import { afterAll, expect, test } from 'vitest'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { approvalRuleVerbs } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import type { ApiScope } from '@/lib/protocol/api-scope'
import { checkServer } from '@/lib/toolset/servers/check'
import { readConcerns } from '@/lib/toolset/servers/concerns'
import { reviewTools } from '@/lib/toolset/servers/review'
import { closeServers } from '@/lib/toolset/servers/server-pool'
import { readToolReach } from '@/lib/toolset/tools/tool-reach'
import { readListings } from '@/lib/toolset/tools/tool-verbs'
import { commandLineOf } from '@/lib/words/command-line'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { scriptedServer, textTool } from '@/tests/support/mcp/script'
import { addPerson } from '@/tests/support/people'
import { addRunSite } from '@/tests/support/run-site'

afterAll(async () => {
  await closeServers()
  await db().server.deleteMany()
})

async function addServer(admin: Ctx) {
  const program = await scriptedServer({ tools: [textTool('echo'), textTool('other')] })
  const command = commandLineOf(program.command)
  const { id } = await serverVerbs.create(admin, { name: 'near', kind: 'stdio', command })
  await checkServer(admin, { id })
  await program.close()
  return id
}

/** Adds a skill whose newest version lists these tools; null = it has no opinion. */
async function addSkill(name: string, before: string[] | null, now: string[] | null, more = {}) {
  const versionOf = (version: number, tools: string[] | null) => ({
    version,
    body: '',
    frontMatter: {},
    bytes: 0,
    createdByLabel: 'test',
    checksum: `${name} ${version}`,
    ...(tools && { allowedTools: tools }),
  })
  const versions = { create: [versionOf(1, before), versionOf(2, now)] }
  await db().skill.create({ data: { name, source: 'paste', version: 2, versions, ...more } })
}

test('a tool names the configurations, skills and rules that concern it, and no others', async () => {
  const { admin, configuration: open } = await addRunSite('http://127.0.0.1:3')
  const allowing = (groups: string[] | null, more = {}) =>
    addRunSite('http://127.0.0.1:3').then(async ({ configuration: identifier }) => {
      const data = { ...(groups && { allowedToolGroups: groups }), ...more }
      return (await db().configuration.update({ where: { identifier }, data })).name
    })
  const only = await allowing(['system', 'mcp-near'])
  await allowing(['system', 'mcp-nearby'])
  const single = await allowing([], { allowedTools: ['near__echo'] })
  await allowing([], { allowedTools: ['nearby__echo'] })
  await allowing([])
  await allowing(null, { enabled: false })
  await addSkill('lists-it', null, ['near__echo', 'get_env'])
  await addSkill('listed-it', ['near__echo'], ['get_env'])
  await addSkill('no-opinion', null, null)
  await addSkill('is-off', null, ['near__echo'], { enabled: false })
  const rule = (name: string, more: object) => approvalRuleVerbs.create(admin, { name, ...more })
  const id = await addServer(admin)
  await rule('Its tool', { toolName: 'near__echo' })
  await rule('Its group', { toolGroup: 'mcp-near' })
  const all = await db().configuration.findUniqueOrThrow({ where: { identifier: open } })
  await rule('All tools of one', { configurationId: all.id })
  await rule('Other group', { toolGroup: 'system' })
  await rule('Switched off', { toolName: 'near__echo', enabled: false })

  const { configurations, tools } = await readConcerns(admin, { id })
  const names = (of: readonly { name: string }[] = []) => of.map(({ name }) => name)
  expect(names(configurations)).toEqual([all.name, only].toSorted())
  expect(names(tools)).toEqual(['near__echo', 'near__other'])
  expect(tools.map((each) => names(each.configurations))).toEqual([[single], []])
  expect(tools.map(({ skills }) => names(skills))).toEqual([['lists-it'], []])
  // The page of a tool says the same, also before anybody accepted it.
  const reach = await readToolReach(admin, 'near__echo')
  expect(names(reach.configurations)).toEqual([all.name, only, single].toSorted())
  const [echo] = await reviewTools(admin, { id })
  const listing = (await readListings()).find(({ name }) => name === 'near__echo')
  expect(listing?.schemaTokens).toBe(echo?.schemaTokens)
  expect(tools.map(({ rules }) => names(rules))).toEqual([
    ['All tools of one', 'Its group', 'Its tool'],
    ['All tools of one', 'Its group'],
  ])
  await expect(readConcerns(await addPerson('member'), { id })).rejects.toThrow('role')

  const others = ['configurations:read', 'skills:read', 'approval-rules:read'] as const
  const ask = async (...scopes: ApiScope[]) => {
    const key = await apiKeyOf(admin, 'servers:read', ...scopes)
    return askApi('GET', `/servers/${id}/concerns`, { key })
  }
  for (const missing of others) {
    const refused = await ask(...others.filter((scope) => scope !== missing))
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining(missing) })
  }
  expect(await (await ask(...others)).json()).toEqual({ configurations, tools })
})
