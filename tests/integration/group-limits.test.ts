import { expect, test } from 'vitest'
import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'
import { limitGroup } from '@/lib/joined-verbs'
import { explainTools } from '@/lib/toolset/policy/explain-tools'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { toolgate } from '@/tests/support/toolgate-process'

test('groups limit their members, admins among them, to what one of the limiting groups allows', async () => {
  const admin = await addPerson('admin')
  const { userId } = admin.actor
  const question = { apiKeyId: null, configuration: null, selected: null, userId }
  const verdictOn = async (wanted: string) =>
    (await explainTools(admin, question)).find(({ name }) => name === wanted)?.verdict
  const [support, night] = [
    await groupVerbs.create(admin, { name: 'Support' }),
    await groupVerbs.create(admin, { name: 'Night' }),
  ]
  for (const { id } of [support, night]) await addGroupMember(admin, { groupId: id, userId })
  expect(await verdictOn('get_env')).toEqual({ allowed: true })

  const { id } = support
  await limitGroup(admin, { id, tools: ['list_groups'], reason: 'Only reads' })
  expect(await verdictOn('list_groups')).toEqual({ allowed: true })
  expect(await verdictOn('get_env')).toMatchObject({
    allowed: false,
    gate: 'role',
    part: 'group',
    reason: 'The group Support may not use this tool. An admin can change what the group may use.',
  })
  await limitGroup(admin, { id: night.id, tools: ['get_env'] })
  expect(await verdictOn('get_env')).toEqual({ allowed: true })
  expect(await verdictOn('fetch_logs')).toMatchObject({
    reason:
      'None of the groups Night and Support may use this tool. An admin can change what they may use.',
  })
  const [audited] = await db().auditEntry.findMany({
    where: { action: 'group.limit', objectId: id },
  })
  expect(audited).toMatchObject({
    reason: 'Only reads',
    before: { tools: null },
    after: { tools: ['list_groups'] },
  })

  for (const each of [id, night.id]) await limitGroup(admin, { id: each, tools: null })
  expect(await verdictOn('fetch_logs')).toEqual({ allowed: true })
  const { stdout } = await toolgate(['group', 'limit', 'Support', '--tool-groups', 'system'])
  expect(stdout).toBe('Members may use the tool group system.\n')
  expect((await groupVerbs.read(admin, { id })).limits).toEqual({
    tools: null,
    toolGroups: ['system'],
  })
})

test('only admins limit groups, and only to tools that there are', async () => {
  const admin = await addPerson('admin')
  const { id } = await groupVerbs.create(admin, { name: 'Readers' })
  const member = await addPerson('member')
  await expect(limitGroup(member, { id, tools: [] })).rejects.toMatchObject({ status: 403 })
  await expect(limitGroup(admin, { id, tools: ['fetch_lgs'] })).rejects.toMatchObject({
    fields: { tools: expect.stringContaining('fetch_logs') },
  })
  await expect(limitGroup(admin, { id, toolGroups: ['nothing'] })).rejects.toMatchObject({
    fields: { toolGroups: expect.stringContaining('"nothing"') },
  })
})
