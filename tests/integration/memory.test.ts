import { beforeAll, describe, expect, it, test } from 'vitest'
import { listMemorySizes } from '@/lib/domains/memory/reads'
import { clearMemory, deleteNote, editNote, listNotes } from '@/lib/domains/memory/verbs'
import { deleteUser } from '@/lib/domains/users/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/new-id'
import { addConfiguration } from '@/tests/support/configuration-fixture'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { toolgate } from '@/tests/support/toolgate-process'

let admin: Ctx
let ada: Ctx
let bo: Ctx
let research: string
let sales: string

beforeAll(async () => {
  admin = await addPerson('admin')
  ada = await addPerson('member', 'ada@example.org')
  bo = await addPerson('member', 'bo@example.org')
  research = await addConfiguration(admin, { name: 'Research' })
  sales = await addConfiguration(admin, { name: 'Sales' })
})

async function add(ctx: Ctx, text: string, configurationId = research): Promise<string> {
  const { userId } = ctx.actor
  const data = { id: newId(), userId, configurationId, text, textHash: text }
  return (await db().memoryNote.create({ data })).id
}

const textsOf = (notes: readonly { text: string }[]) => notes.map(({ text }) => text)
const missing = { status: 404, message: 'The note does not exist, or you may not see it.' }

describe('one’s own notes', () => {
  it('are listed with their configuration, searched and sorted', async () => {
    const ctx = await addPerson('member')
    await add(ctx, 'Customers ask for prices.', sales)
    await add(ctx, 'Papers are in German.')
    await add(bo, 'Of somebody else.')
    const texts = async (filter: Parameters<typeof listNotes>[1]) =>
      textsOf((await listNotes(ctx, filter)).notes)
    expect(await texts({})).toEqual(['Papers are in German.', 'Customers ask for prices.'])
    expect(await texts({ sort: '-configuration' })).toEqual([
      'Customers ask for prices.',
      'Papers are in German.',
    ])
    expect(await texts({ configuration: sales })).toEqual(['Customers ask for prices.'])
    expect(await texts({ configuration: 'no-such-one' })).toEqual([])
    expect(await texts({ search: 'german' })).toEqual(['Papers are in German.'])
    expect(await texts({ search: 'somebody' })).toEqual([])
    expect(await listNotes(ctx, { page: 2, pageSize: 1 })).toMatchObject({
      total: 2,
      notes: [{ text: 'Customers ask for prices.', configuration: { name: 'Sales' }, run: null }],
    })
  })

  it('are edited and deleted, and the audit does not say what they say', async () => {
    const ctx = await addPerson('member')
    const id = await add(ctx, 'The secret plan.')
    await editNote(ctx, { id, text: '  The public plan.\u0000 ' })
    expect(textsOf((await listNotes(ctx, {})).notes)).toEqual(['The public plan.'])
    await expect(editNote(ctx, { id, text: ' \n' })).rejects.toMatchObject({
      fields: { text: 'Enter a text.' },
    })
    await expect(editNote(ctx, { id, text: 'a'.repeat(4_001) })).rejects.toMatchObject({
      fields: { text: 'A note has at most 4\u202f000 characters.' },
    })
    await deleteNote(ctx, { id })
    await expect(deleteNote(ctx, { id })).rejects.toMatchObject(missing)
    const entries = await db().auditEntry.findMany({
      where: { objectId: id },
      orderBy: { id: 'asc' },
    })
    expect(entries.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      {
        action: 'memory.edit',
        before: { configuration: 'Research', characters: 16 },
        after: { configuration: 'Research', characters: 16 },
      },
      {
        action: 'memory.delete',
        before: { configuration: 'Research', characters: 16 },
        after: null,
      },
    ])
    expect(JSON.stringify(entries)).not.toContain('plan')
  })

  it('are nobody else’s, also not an admin’s', async () => {
    const id = await add(ada, 'Of Ada.')
    for (const other of [bo, admin]) {
      await expect(editNote(other, { id, text: 'x' })).rejects.toMatchObject(missing)
      await expect(deleteNote(other, { id })).rejects.toMatchObject(missing)
      expect(textsOf((await listNotes(other, {})).notes)).not.toContain('Of Ada.')
    }
    await expect(clearMemory(bo, { userId: ada.actor.userId })).rejects.toMatchObject({
      status: 403,
    })
    await expect(deleteNote(ada, { id: '../x' })).rejects.toMatchObject(missing)
  })

  it('are those of its configurations for an API key that has some', async () => {
    const ctx = await addPerson('member')
    const here = await add(ctx, 'Here.')
    const there = await add(ctx, 'There.', sales)
    const keyLimits = { tools: null, toolGroups: null, configurations: [research] }
    const limited: Ctx = { ...ctx, via: 'api', keyLimits }
    expect((await listNotes(limited, {})).notes).toMatchObject([{ id: here }])
    await expect(editNote(limited, { id: there, text: 'x' })).rejects.toMatchObject(missing)
    expect(await clearMemory(limited, {})).toEqual({ deleted: 1 })
    expect((await listNotes(ctx, {})).notes).toMatchObject([{ id: there }])
  })

  it('are deleted together, all or those with one configuration', async () => {
    const ctx = await addPerson('member')
    for (const text of ['One.', 'Two.']) await add(ctx, text)
    await add(ctx, 'Three.', sales)
    expect(await clearMemory(ctx, { configuration: research })).toEqual({ deleted: 2 })
    expect(await clearMemory(ctx, { configuration: research })).toEqual({ deleted: 0 })
    expect(await clearMemory(ctx, {})).toEqual({ deleted: 1 })
    const where = { action: 'memory.clear', objectId: ctx.actor.userId }
    const entries = await db().auditEntry.findMany({ where, orderBy: { id: 'asc' } })
    expect(entries.map(({ before }) => before)).toMatchObject([
      { configuration: 'Research', notes: 2 },
      { configuration: null, notes: 1 },
    ])
  })
})

describe('an admin', () => {
  it('sees how many notes people have, and not what they say', async () => {
    const ctx = await addPerson('member')
    await add(ctx, 'Grüße')
    await add(ctx, 'Zwei')
    const { sizes, total } = await listMemorySizes(admin, { search: ctx.actor.email })
    expect(total).toBe(1)
    expect(sizes).toEqual([
      {
        person: { id: ctx.actor.userId, email: ctx.actor.email },
        configuration: { id: research, name: 'Research' },
        notes: 2,
        bytes: 11,
      },
    ])
    await expect(listMemorySizes(ctx, {})).rejects.toMatchObject({ status: 403 })
  })

  it('deletes the notes of somebody else, with an audit row', async () => {
    const ctx = await addPerson('member')
    await add(ctx, 'One.')
    const { userId } = ctx.actor
    const cleared = { userId, configuration: research, reason: 'Asked for by mail.' }
    expect(await clearMemory(admin, cleared)).toEqual({ deleted: 1 })
    const where = { action: 'memory.clear', objectId: userId }
    expect(await db().auditEntry.findFirstOrThrow({ where })).toMatchObject({
      actorLabel: admin.actor.email,
      reason: 'Asked for by mail.',
      before: { person: ctx.actor.email, configuration: 'Research', notes: 1 },
    })
    expect((await listMemorySizes(admin, { search: ctx.actor.email })).sizes).toEqual([])
  })

  it('deletes an account with its memory', async () => {
    const ctx = await addPerson('member')
    await add(ctx, 'One.')
    await deleteUser(admin, { userId: ctx.actor.userId })
    expect(await db().memoryNote.count({ where: { userId: ctx.actor.userId } })).toBe(0)
  })
})

test('the notes go with their configuration', async () => {
  const passing = await addConfiguration(admin)
  const id = await add(ada, 'Goes.', passing)
  await db().configuration.delete({ where: { id: passing } })
  expect(await db().memoryNote.findUnique({ where: { id } })).toBeNull()
  expect(await db().memorySize.count({ where: { configurationId: passing } })).toBe(0)
})

test('in a terminal, one’s own notes are listed, edited and deleted', async () => {
  const ctx = await addPerson('member')
  const id = await add(ctx, 'Papers are in German.')
  await add(ctx, 'Prices are without tax.', sales)
  const as = ['--as', ctx.actor.email]
  const listed = await toolgate(['memory', 'list', '--search', 'german', ...as])
  expect(listed.stdout).toMatch(new RegExp(`${id} +Research +Papers are in German\\.`))
  expect(listed.stdout).not.toContain('Prices')
  const edited = await toolgate(['memory', 'edit', id, '--text', '-', ...as], {
    input: 'Papers are in English.\n',
  })
  expect(edited).toMatchObject({ code: 0, stdout: 'Changed the note.\n' })
  for (const wrong of [[], [id, '--all'], [id, '--configuration', 'research']]) {
    expect((await toolgate(['memory', 'delete', ...wrong, ...as])).code).not.toBe(0)
  }
  expect(textsOf((await listNotes(ctx, {})).notes)).toEqual([
    'Papers are in English.',
    'Prices are without tax.',
  ])
  expect((await toolgate(['memory', 'delete', id, ...as])).stdout).toBe('Deleted the note.\n')

  const sizes = await toolgate(['memory', 'sizes', '--search', ctx.actor.email, '--json'])
  expect(JSON.parse(sizes.stdout)).toMatchObject([{ notes: 1, bytes: 23 }])
  expect((await toolgate(['memory', 'sizes', ...as])).code).not.toBe(0)
  const cleared = await toolgate(['memory', 'delete', '--all', '--user', ctx.actor.email])
  expect(cleared.stdout).toBe('Deleted 1 note.\n')
  expect((await listNotes(ctx, {})).total).toBe(0)
})
