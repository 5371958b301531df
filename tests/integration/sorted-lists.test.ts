import { beforeAll, expect, test } from 'vitest'
import { approvalRules } from '@/lib/domains/approvals/shape'
import { groups } from '@/lib/domains/groups/shape'
import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'
import { importSkills } from '@/lib/domains/skills/import-skills'
import { listSkills } from '@/lib/domains/skills/reads'
import type { SkillSort } from '@/lib/domains/skills/schemas'
import { readSkillFiles } from '@/lib/domains/skills/skill-archive'
import { pageUsers } from '@/lib/domains/users/reads'
import { UserFilter } from '@/lib/domains/users/schemas'
import { deleteUser } from '@/lib/domains/users/verbs'
import { lenientQuery } from '@/lib/edge/lenient-query'
import { approvalRuleVerbs } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { RunFilter } from '@/lib/runs/schemas'
import type { SortKeyOf } from '@/lib/shape/resource'
import type { SortOrder } from '@/lib/shape/sort-order'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { skillText } from '@/tests/support/skills'

let admin: Ctx
let ben: Ctx

beforeAll(async () => {
  admin = await addPerson('admin', 'ana@example.org')
  // Two people of one millisecond would be in the order of their random ids.
  const createdAt = new Date(Date.now() - 60_000)
  await db().user.update({ where: { id: admin.actor.userId }, data: { createdAt } })
  ben = await addPerson('member', 'ben@example.org')
  await db().user.update({
    where: { id: ben.actor.userId },
    data: { name: 'Ben', lastSignInAt: new Date() },
  })
})

test('people, and the order that counts when the address asks for nonsense', async () => {
  const emails = async (params: Record<string, string>) => {
    const { rows } = await pageUsers(admin, lenientQuery(UserFilter, params))
    return rows.map(({ email }) => email[0])
  }
  expect(await emails({})).toEqual(['b', 'a'])
  expect(await emails({ sort: '-name' })).toEqual(['a', 'b'])
  expect(await emails({ sort: 'added' })).toEqual(['a', 'b'])
  expect(await emails({ sort: '-role' })).toEqual(['b', 'a'])
  for (const sort of ['signed-in', '-signed-in']) expect(await emails({ sort })).toEqual(['b', 'a'])
  for (const sort of ['passwordHash', 'name; --', '__proto__']) {
    expect(await emails({ sort })).toEqual(['b', 'a'])
  }
  expect(await emails({ sort: '-name', page: '2', pageSize: '1' })).toEqual(['b'])
})

test('groups, by the members that count', async () => {
  const gone = await addPerson('member')
  const crowded = await groupVerbs.create(admin, { name: 'Crowded' })
  const bereft = await groupVerbs.create(admin, { name: 'Bereft', description: 'Of 100 %' })
  for (const { actor } of [admin, ben])
    await addGroupMember(admin, { groupId: crowded.id, userId: actor.userId })
  for (const { actor } of [ben, gone])
    await addGroupMember(admin, { groupId: bereft.id, userId: actor.userId })
  await deleteUser(admin, { userId: gone.actor.userId })
  const names = async (wish: object) => {
    const { rows, total } = await groupVerbs.page(admin, groups.Filter.parse(wish))
    return [total, ...rows.map(({ name, members }) => `${name} ${members.length}`)]
  }
  expect(await names({})).toEqual([2, 'Bereft 1', 'Crowded 2'])
  expect(await names({ sort: '-members' })).toEqual([2, 'Crowded 2', 'Bereft 1'])
  expect(await names({ sort: '-name', page: 2, pageSize: 1 })).toEqual([2, 'Bereft 1'])
  expect(await names({ sort: 'configurations', search: '0 %' })).toEqual([1, 'Bereft 1'])
  expect(await names({ search: '_' })).toEqual([0])
})

test('skills and rules', async () => {
  for (const name of ['b-skill', 'a-skill']) {
    await importSkills(admin, {
      source: name === 'b-skill' ? 'paste' : 'upload',
      files: await readSkillFiles(Buffer.from(skillText(name))),
      confirmed: null,
    })
  }
  const skills = async (sort?: SkillSort) =>
    (await listSkills(admin, { sort })).map(({ name }) => name[0])
  expect(await skills()).toEqual(['a', 'b'])
  expect([await skills('changed'), await skills('-changed')]).toEqual([
    ['b', 'a'],
    ['a', 'b'],
  ])
  expect(await skills('-source')).toEqual(['b', 'a'])

  const [first] = await Promise.all(
    ['One', 'Two'].map((name) => approvalRuleVerbs.create(admin, { name, toolName: 'get_env' })),
  )
  await approvalRuleVerbs.update(admin, { id: first?.id ?? '', enabled: false, reason: 'Later' })
  const rules = async (sort?: SortOrder<SortKeyOf<typeof approvalRules>>) =>
    (await approvalRuleVerbs.list(admin, { sort })).rows.map(({ name }) => name)
  expect(await rules()).toEqual(['One', 'Two'])
  expect(await rules('-state')).toEqual(['Two', 'One'])
  expect(await rules('-changed')).toEqual(['One', 'Two'])
  expect(approvalRules.Wanted.safeParse({ sort: 'conditions' }).success).toBe(false)
})

test('runs, with those that have no figure yet where the reader looks for them', async () => {
  const facts = [
    { prompt: 'cheap', costMicroUsd: 1, durationMs: 900, inputTokens: 5, user: ben },
    { prompt: 'dear', costMicroUsd: 9, durationMs: 100, inputTokens: 7, user: admin },
    { prompt: 'unpriced', costMicroUsd: null, durationMs: null, inputTokens: 1, user: admin },
  ]
  for (const { user, ...run } of facts) {
    await db().run.create({ data: { ...run, request: {}, userId: user.actor.userId } })
  }
  const prompts = async (sort?: string) => {
    const { rows } = await listRuns(admin, RunFilter.parse({ sort }))
    return rows.map(({ prompt }) => prompt[0]).join('')
  }
  expect(await prompts()).toBe('udc')
  expect(await prompts('started')).toBe('cdu')
  expect([await prompts('-cost'), await prompts('cost')]).toEqual(['dcu', 'cdu'])
  expect([await prompts('-duration'), await prompts('duration')]).toEqual(['ucd', 'dcu'])
  expect(await prompts('-tokens')).toBe('dcu')
  expect(await prompts('user')).toBe('udc')
  expect(await prompts('-configuration')).toBe('udc')
})
