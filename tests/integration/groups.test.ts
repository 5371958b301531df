import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { allowGroup } from '@/lib/domains/configurations/policy-verbs'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { findGroup, listGroupNames, listGroupSizes } from '@/lib/domains/groups/reads'
import { groups } from '@/lib/domains/groups/shape'
import { addGroupMember, groupVerbs, removeGroupMember } from '@/lib/domains/groups/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { addLocalModel } from '@/tests/support/add-local-model'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

let admin: Ctx
let member: Ctx
beforeEach(async () => {
  await db().group.deleteMany()
  await db().auditEntry.deleteMany()
  admin = await addPerson('admin')
  member = await addPerson('member')
})

async function actions(): Promise<string[]> {
  const entries = await db().auditEntry.findMany({ orderBy: { at: 'asc' } })
  return entries.map(({ action }) => action)
}

describe('groups', () => {
  test('take members in and out; only what changes is audited', async () => {
    const { userId, email } = member.actor
    const { id } = await groupVerbs.create(admin, { name: ' Editors ' })
    expect(await findGroup(admin, 'Editors')).toEqual({ id })
    expect(await addGroupMember(admin, { groupId: id, userId })).toBe(true)
    expect(await addGroupMember(admin, { groupId: id, userId })).toBe(false)
    const { rows } = await groupVerbs.list(admin, { sort: 'name' })
    expect(rows).toMatchObject([
      { id, name: 'Editors', description: '', members: [email], configurations: [] },
    ])
    expect(rows).toMatchObject([{ createdByLabel: admin.actor.email }])
    expect(await listGroupNames(admin)).toEqual([{ id, name: 'Editors' }])
    expect(await listGroupSizes(admin)).toEqual([{ id, name: 'Editors', members: 1 }])
    expect(await removeGroupMember(admin, { groupId: id, userId, reason: 'Moved on' })).toBe(true)
    expect(await removeGroupMember(admin, { groupId: id, userId })).toBe(false)
    expect(await actions()).toEqual(['group.create', 'group.add-member', 'group.remove-member'])
    const removal = await db().auditEntry.findFirstOrThrow({
      where: { action: 'group.remove-member' },
    })
    expect(removal.reason).toBe('Moved on')
  })

  test('have one name each, and no members or configurations that are not there', async () => {
    const { id } = await groupVerbs.create(admin, { name: 'Editors' })
    await expect(groupVerbs.create(admin, { name: 'Editors' })).rejects.toThrow(ConflictError)
    await expect(groupVerbs.create(admin, { name: ' \0\u200b' })).rejects.toThrow(ValidationError)
    await expect(groupVerbs.create(admin, { name: 'Edi\u200btors' })).rejects.toThrow(ConflictError)
    await expect(addGroupMember(admin, { groupId: id, userId: randomUUID() })).rejects.toThrow(
      NotFoundError,
    )
    await expect(
      addGroupMember(admin, { groupId: randomUUID(), userId: member.actor.userId }),
    ).rejects.toThrow(NotFoundError)
    await expect(
      allowGroup(admin, { configurationId: randomUUID(), groupId: id, allowed: true }),
    ).rejects.toThrow(NotFoundError)
    await expect(findGroup(admin, 'Nobody')).rejects.toThrow(NotFoundError)
    expect(await groupVerbs.read(admin, { id: ' Editors ' })).toMatchObject({ id })
    const misspelt = groupVerbs.update(admin, { id: 'Edtors', description: '' })
    await expect(misspelt).rejects.toThrow('Did you mean "Editors"?')
  })

  test('are renamed, described, found and deleted; deleting names what members lose', async () => {
    const { id } = await groupVerbs.create(admin, { name: 'Editors' })
    await groupVerbs.create(admin, { name: 'Writers' })
    await addGroupMember(admin, { groupId: id, userId: member.actor.userId })
    const { updatedAt } = await groupVerbs.read(admin, { id })
    await groupVerbs.update(admin, { id, updatedAt, name: 'Authors', description: 'They write' })
    const late = groupVerbs.update(admin, { id, updatedAt, name: 'Late' })
    await expect(late).rejects.toThrow('Somebody changed this group after you opened it')
    await expect(groupVerbs.update(admin, { id, name: 'Writers' })).rejects.toThrow(ConflictError)
    expect(await groupVerbs.read(admin, { id })).toMatchObject({
      name: 'Authors',
      people: [{ id: member.actor.userId, disabled: false }],
    })
    const found = await groupVerbs.page(admin, groups.Filter.parse({ search: 'WRITE' }))
    expect(found).toMatchObject({
      total: 2,
      rows: [
        { name: 'Authors', members: [member.actor.email], configurations: [] },
        { name: 'Writers', members: [] },
      ],
    })
    await groupVerbs.remove(admin, { id, reason: 'Nobody is left' })
    await expect(groupVerbs.read(admin, { id })).rejects.toThrow(NotFoundError)
    await expect(groupVerbs.remove(admin, { id })).rejects.toThrow(NotFoundError)
    const audit = await db().auditEntry.findFirstOrThrow({ where: { action: 'group.delete' } })
    expect(audit.reason).toBe('Nobody is left')
    expect(audit.before).toMatchObject({ name: 'Authors', members: [member.actor.email] })
  })

  test('open configurations and close them again; why is kept', async () => {
    const wire = { wire: 'ollama', connectionName: 'Groups', url: 'http://127.0.0.1:9' } as const
    const modelId = await addLocalModel(admin, wire)
    const input = { identifier: 'for-groups', name: 'For groups', modelId }
    const configuration = await createConfiguration(admin, input)
    const { id } = await groupVerbs.create(admin, { name: 'Editors' })
    const pair = { configurationId: configuration.id, groupId: id }
    expect(await allowGroup(admin, { ...pair, allowed: true })).toBe(true)
    expect((await groupVerbs.read(admin, { id })).opens).toMatchObject([{ name: 'For groups' }])
    const close = { ...pair, allowed: false, reason: 'Too dear' }
    expect(await allowGroup(admin, close)).toBe(true)
    expect(await allowGroup(admin, close)).toBe(false)
    const audit = await db().auditEntry.findMany({
      where: { action: { contains: 'allow-group' } },
      orderBy: { id: 'asc' },
    })
    expect(audit.map(({ action, reason }) => [action, reason])).toEqual([
      ['configuration.allow-group', ''],
      ['configuration.disallow-group', 'Too dear'],
    ])
  })

  test('are for admins', async () => {
    const { userId } = member.actor
    const { id } = await groupVerbs.create(admin, { name: 'Editors' })
    await expect(groupVerbs.create(member, { name: 'Mine' })).rejects.toThrow(ForbiddenError)
    await expect(addGroupMember(member, { groupId: id, userId })).rejects.toThrow(ForbiddenError)
    await expect(removeGroupMember(member, { groupId: id, userId })).rejects.toThrow(ForbiddenError)
    await expect(
      allowGroup(member, { configurationId: randomUUID(), groupId: id, allowed: true }),
    ).rejects.toThrow(ForbiddenError)
    await expect(groupVerbs.list(member, { sort: 'name' })).rejects.toThrow(ForbiddenError)
    await expect(listGroupNames(member)).rejects.toThrow(ForbiddenError)
    await expect(listGroupSizes(member)).rejects.toThrow(ForbiddenError)
    await expect(groupVerbs.page(member, { sort: 'name' })).rejects.toThrow(ForbiddenError)
    await expect(groupVerbs.read(member, { id })).rejects.toThrow(ForbiddenError)
    await expect(groupVerbs.update(member, { id, name: 'Mine' })).rejects.toThrow(ForbiddenError)
    await expect(groupVerbs.remove(member, { id })).rejects.toThrow(ForbiddenError)
  })
})
