import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { allowGroup } from '@/lib/domains/configurations/policy-verbs'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import {
  findGroup,
  listGroupNames,
  listGroupSizes,
  listGroups,
  pageGroups,
  readGroup,
} from '@/lib/domains/groups/reads'
import { GroupFilter } from '@/lib/domains/groups/schemas'
import {
  addGroupMember,
  createGroup,
  deleteGroup,
  removeGroupMember,
  updateGroup,
} from '@/lib/domains/groups/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { addLocalModel } from '../support/add-local-model'
import { db } from '../support/fixture-db'
import { addPerson } from '../support/people'

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
    const { id } = await createGroup(admin, { name: ' Editors ' })
    expect(await findGroup(admin, 'Editors')).toEqual({ id })
    expect(await addGroupMember(admin, { groupId: id, userId })).toBe(true)
    expect(await addGroupMember(admin, { groupId: id, userId })).toBe(false)
    expect(await listGroups(admin)).toEqual([
      { id, name: 'Editors', description: '', members: [email], configurations: [] },
    ])
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
    const { id } = await createGroup(admin, { name: 'Editors' })
    await expect(createGroup(admin, { name: 'Editors' })).rejects.toThrow(ConflictError)
    await expect(createGroup(admin, { name: 'a\0' })).rejects.toThrow(ValidationError)
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
  })

  test('are renamed, described, found and deleted; deleting names what members lose', async () => {
    const { id } = await createGroup(admin, { name: 'Editors' })
    await createGroup(admin, { name: 'Writers' })
    await addGroupMember(admin, { groupId: id, userId: member.actor.userId })
    await updateGroup(admin, { groupId: id, name: 'Authors', description: 'They write' })
    await expect(updateGroup(admin, { groupId: id, name: 'Writers' })).rejects.toThrow(
      ConflictError,
    )
    expect(await readGroup(admin, id)).toMatchObject({
      name: 'Authors',
      members: [{ id: member.actor.userId, disabled: false }],
    })
    const found = await pageGroups(admin, GroupFilter.parse({ search: 'WRITE' }))
    expect(found).toMatchObject({
      total: 2,
      rows: [
        { name: 'Authors', members: 1, configurations: 0 },
        { name: 'Writers', members: 0 },
      ],
    })
    await deleteGroup(admin, { groupId: id, reason: 'Nobody is left' })
    await expect(readGroup(admin, id)).rejects.toThrow(NotFoundError)
    await expect(deleteGroup(admin, { groupId: id })).rejects.toThrow(NotFoundError)
    const audit = await db().auditEntry.findFirstOrThrow({ where: { action: 'group.delete' } })
    expect(audit.reason).toBe('Nobody is left')
    expect(audit.before).toMatchObject({ name: 'Authors', members: [member.actor.email] })
  })

  test('open configurations and close them again; why is kept', async () => {
    const wire = { wire: 'ollama', connectionName: 'Groups', url: 'http://127.0.0.1:9' } as const
    const modelId = await addLocalModel(admin, wire)
    const asked = { identifier: 'for-groups', name: 'For groups', modelId }
    const configuration = await createConfiguration(admin, asked)
    const { id } = await createGroup(admin, { name: 'Editors' })
    const pair = { configurationId: configuration.id, groupId: id }
    expect(await allowGroup(admin, { ...pair, allowed: true })).toBe(true)
    expect((await readGroup(admin, id)).configurations).toMatchObject([{ name: 'For groups' }])
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
    const { id } = await createGroup(admin, { name: 'Editors' })
    await expect(createGroup(member, { name: 'Mine' })).rejects.toThrow(ForbiddenError)
    await expect(addGroupMember(member, { groupId: id, userId })).rejects.toThrow(ForbiddenError)
    await expect(removeGroupMember(member, { groupId: id, userId })).rejects.toThrow(ForbiddenError)
    await expect(
      allowGroup(member, { configurationId: randomUUID(), groupId: id, allowed: true }),
    ).rejects.toThrow(ForbiddenError)
    await expect(listGroups(member)).rejects.toThrow(ForbiddenError)
    await expect(listGroupNames(member)).rejects.toThrow(ForbiddenError)
    await expect(listGroupSizes(member)).rejects.toThrow(ForbiddenError)
    await expect(pageGroups(member, GroupFilter.parse({}))).rejects.toThrow(ForbiddenError)
    await expect(readGroup(member, id)).rejects.toThrow(ForbiddenError)
    await expect(updateGroup(member, { groupId: id, name: 'Mine' })).rejects.toThrow(ForbiddenError)
    await expect(deleteGroup(member, { groupId: id })).rejects.toThrow(ForbiddenError)
  })
})
