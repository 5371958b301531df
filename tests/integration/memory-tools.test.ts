import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { listNotes } from '@/lib/domains/memory/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/new-id'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { tryTool } from '@/lib/runs/start/try-tool'
import { loadResources } from '@/lib/toolset/ports/load-resources'
import { setApproval, switchTool } from '@/lib/toolset/tools/tool-verbs'
import { addConfiguration } from '@/tests/support/configuration-fixture'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { collect } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

let engine: Engine
let admin: Ctx
let bo: Ctx
let research: string
let sales: string
/** The run that writes where a test has none of its own. */
let runId: string

beforeAll(async () => {
  engine = await startTestEngine()
  admin = await addPerson('admin')
  bo = await addPerson('member', 'bo@example.org')
  research = await addConfiguration(admin, { name: 'Research' })
  sales = await addConfiguration(admin, { name: 'Sales' })
  const run = { userId: admin.actor.userId, request: {}, prompt: 'Remember.' }
  runId = (await db().run.create({ data: { ...run, status: 'ended' } })).id
})

afterAll(() => engine.close())

function memoryOf({ actor }: Ctx, configurationId: string | null) {
  return loadResources(db(), { actor, runId, configurationId }).memory
}

/** Returns the memory of a new person, so that tests do not see one another's notes. */
async function newMemory(configurationId = research) {
  const ctx = await addPerson('member')
  return { ctx, memory: memoryOf(ctx, configurationId) }
}

const all = { search: null, limit: 50 }
const textsOf = (notes: readonly { text: string }[]) => notes.map(({ text }) => text)

describe('what a tool may touch', () => {
  it('is the notes of its person with the configuration of its run', async () => {
    const { ctx, memory } = await newMemory()
    const others = [memoryOf(ctx, sales), memoryOf(bo, research), memoryOf(ctx, null)]
    const added = await memory.add('Only here.')
    const id = added.type === 'stored' ? added.id : ''
    expect(await memory.textOf(id)).toBe('Only here.')
    for (const other of others) {
      expect(await other.read(all)).toEqual([])
      expect(await other.textOf(id)).toBeNull()
      expect(await other.has('Only here.')).toBe(false)
    }
    for (const other of others.slice(0, 2)) {
      expect(await other.replace(id, 'Changed.')).toEqual({ type: 'missing' })
      expect(await other.delete(id)).toBe(false)
    }
    expect(textsOf(await memory.read(all))).toEqual(['Only here.'])
  })

  it('is nothing to write to when the configuration is gone', async () => {
    for (const gone of [null, newId()]) {
      const memory = memoryOf(bo, gone)
      await expect(memory.add('Lost.')).rejects.toMatchObject({ code: 'no-memory' })
    }
  })

  it('is the newest first, or what a search finds', async () => {
    const { memory } = await newMemory()
    await memory.add('The report is written in German, for Müller & Sons.')
    await memory.add('The budget of the report is 100% used.')
    await memory.add('Ada prefers tables.')
    const found = async (search: string) => textsOf(await memory.read({ search, limit: 50 }))
    expect(textsOf(await memory.read({ search: null, limit: 1 }))).toEqual(['Ada prefers tables.'])
    expect(await found('REPORT german')).toEqual([
      'The report is written in German, for Müller & Sons.',
    ])
    expect(await found('report -german')).toEqual(['The budget of the report is 100% used.'])
    expect(await found('"prefers tables"')).toEqual(['Ada prefers tables.'])
    // No word begins so, but a note has it as a part.
    expect(await found('üll')).toHaveLength(1)
    expect(await found('0% u')).toHaveLength(1)
    for (const hostile of ['%', '_', "' OR 1=1 --", '\\', '<->', '!', ':*', '((', '"']) {
      expect((await found(hostile)).length).toBeLessThan(2)
    }
  })

  it('is the same note when the same text comes twice, also at once', async () => {
    const { memory } = await newMemory()
    const added = await Promise.all(Array.from({ length: 8 }, () => memory.add('Once.')))
    expect(new Set(added.map((each) => each.type === 'stored' && each.id)).size).toBe(1)
    expect(added.filter((each) => each.type === 'stored' && each.isNew)).toHaveLength(1)
    expect(await memory.read(all)).toHaveLength(1)
  })

  it('never becomes two notes with one text', async () => {
    const { memory } = await newMemory()
    await memory.add('One.')
    const two = await memory.add('Two.')
    const id = two.type === 'stored' ? two.id : ''
    expect(await memory.replace(id, 'One.')).toEqual({ type: 'taken' })
    expect(await memory.replace(id, 'Two.')).toEqual({ type: 'replaced' })
  })
})

describe('the limits of a memory', () => {
  it('is 200 notes, also for those who write at once', async () => {
    const { ctx, memory } = await newMemory()
    await db().memoryNote.createMany({
      data: Array.from({ length: 195 }, (_, count) => ({
        userId: ctx.actor.userId,
        configurationId: research,
        text: `Note ${count}`,
        textHash: `${count}`,
      })),
    })
    const added = await Promise.all(
      Array.from({ length: 12 }, (_, count) => memory.add(`At once ${count}`)),
    )
    const refused = added.filter(({ type }) => type === 'full')
    expect(refused).toEqual(Array.from({ length: 7 }, () => ({ type: 'full', of: 'notes' })))
    const where = { userId: ctx.actor.userId }
    expect(await db().memoryNote.count({ where })).toBe(200)
    // Elsewhere there is room, and after a note is gone, there is room here.
    expect(await memoryOf(ctx, sales).add('Elsewhere.')).toMatchObject({ isNew: true })
    const [note] = await memory.read({ search: null, limit: 1 })
    await memory.delete(note?.id ?? '')
    expect(await memory.add('Room again.')).toMatchObject({ isNew: true })
  })

  it('is 256 KiB, counted in bytes, also when notes grow', async () => {
    const { ctx, memory } = await newMemory()
    const long = (count: number) => `${count}${'é'.repeat(3_990)}`
    const added: string[] = []
    for (let count = 10; count < 60; count += 1) {
      const one = await memory.add(long(count))
      if (one.type === 'full') {
        expect(one.of).toBe('bytes')
        break
      }
      added.push(one.id)
    }
    // 7,982 bytes each.
    expect(added).toHaveLength(32)
    const small = await memory.add('small')
    const id = small.type === 'stored' ? small.id : ''
    expect(await memory.replace(id, long(99))).toEqual({ type: 'full', of: 'bytes' })
    expect(await memory.textOf(id)).toBe('small')
    await memory.replace(added[0] ?? '', 'short now')
    expect(await memory.replace(id, long(99))).toEqual({ type: 'replaced' })
    const [size] = await db().memorySize.findMany({ where: { userId: ctx.actor.userId } })
    expect(size).toMatchObject({ notes: 33, bytes: 32 * 7_982 + 9 })
  })
})

test('a run writes for its person and its configuration, and names itself', async () => {
  await switchTool(admin, { name: 'memory_write', enabled: true })
  await setApproval(admin, { name: 'memory_write', asks: false, reason: 'Only in tests.' })
  const call = async (name: string, args: Record<string, unknown>) => {
    const { runId } = await tryTool(admin, { name, arguments: args, configuration: research })
    const run = foldRun(await collect(admin, runId ?? ''))
    return { runId, call: run.rounds.flatMap(({ calls }) => calls)[0] }
  }
  const added = await call('memory_write', { mode: 'add', content: 'Written by a run.' })
  expect(added.call?.state).toMatchObject({ outcome: { type: 'ok' } })
  expect(added.call?.state).toMatchObject({ check: { after: { text: 'Written by a run.' } } })
  const { notes } = await listNotes(admin, {})
  expect(notes).toMatchObject([
    {
      text: 'Written by a run.',
      configuration: { id: research },
      run: { id: added.runId, prompt: expect.stringContaining('Call memory_write') },
    },
  ])
  const read = await call('memory_read', { query: 'written' })
  expect(read.call?.state).toMatchObject({
    outcome: { type: 'ok', content: expect.stringContaining('Written by a run.') },
  })
  const gone = await call('memory_write', { mode: 'delete', note: newId() })
  expect(gone.call?.state).toMatchObject({ outcome: { type: 'failed', code: 'not-found' } })
})
