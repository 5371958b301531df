import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { readNarrowed } from '@/app/(console)/(admin)/audit/read-narrowed'
import { GET } from '@/app/api/audit/export/route'
import { AuditFilter } from '@/lib/domains/audit/audit-filter'
import { exportAudit } from '@/lib/domains/audit/export-audit'
import { listAudit, listAuditWords } from '@/lib/domains/audit/list-audit'
import { groupVerbs } from '@/lib/domains/groups/verbs'
import { recordAudit } from '@/lib/edge/record-audit'
import { createApiKey } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ForbiddenError } from '@/lib/kernel/errors'
import { db, withTransaction } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

let admin: Ctx
let member: Ctx
const many = 1_203

beforeAll(async () => {
  admin = await addPerson('admin', 'ada@example.org')
  member = await addPerson('member')
  await db().auditEntry.createMany({
    data: Array.from({ length: many }, (_, n) => ({
      at: new Date(Date.UTC(2026, 0, 1) + Math.floor(n / 3) * 1000),
      actorLabel: 'bulk@example.org',
      action: 'thing.change',
      objectType: 'thing',
      objectId: String(n),
      before: { n },
      after: { n: n + 1, note: '=cmd|calc' },
      reason: n === 0 ? '=HYPERLINK("http://evil.example","x")' : '',
    })),
  })
})

function list(wish: object) {
  return listAudit(admin, AuditFilter.parse(wish))
}

async function textOf(pieces: AsyncGenerator<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

describe('the audit', () => {
  test('is read newest first, page by page, without gap or repetition', async () => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { rows, nextCursor, total } = await list({ action: 'thing.change', limit: 500, cursor })
      expect(total).toBe(many)
      seen.push(...rows.map(({ id }) => id))
      const times = rows.map(({ at }) => at)
      expect(times).toEqual(times.toSorted().toReversed())
      cursor = nextCursor ?? undefined
    } while (cursor)
    expect(new Set(seen).size).toBe(many)
    expect(seen).toHaveLength(many)
  })

  test('is read on from a cursor among changes of one moment, however the ids were made', async () => {
    const { rows } = await list({ action: 'thing.change', limit: 3 })
    const [first, second, third] = rows
    expect(new Set(rows.map(({ at }) => at)).size).toBe(1)
    const next = await list({ action: 'thing.change', limit: 1, cursor: first?.id })
    expect(next).toMatchObject({ rows: [second], nextCursor: second?.id })
    const to = new Date(Date.parse(third?.at ?? '') + 1).toISOString()
    const last = await list({ actor: 'BULK@', from: third?.at, to, cursor: second?.id })
    expect(last).toMatchObject({ rows: [third], nextCursor: null, total: 3, capped: false })
    expect((await list({ cursor: randomUUID() })).rows).toEqual([])
  })

  test('is counted to 10,000 and no further', async () => {
    await db().$executeRaw`
      INSERT INTO audit_entries (id, "actorLabel", action, "objectType")
      SELECT gen_random_uuid(), 'bulk@example.org', 'many.change', 'many' FROM generate_series(1, 10001)`
    const many = await list({ action: 'many.change', limit: 1 })
    expect(many).toMatchObject({ total: 10_000, capped: true })
  })

  test('is narrowed by who, what, which and when', async () => {
    const { id } = await groupVerbs.create(admin, { name: 'Audited' })
    await groupVerbs.update(admin, { id, description: 'Why it is there' })
    await groupVerbs.remove(admin, { id })
    const { rows } = await list({ actor: 'ADA@', objectType: 'group', objectId: id })
    expect(rows.map(({ action }) => action)).toEqual([
      'group.delete',
      'group.update',
      'group.create',
    ])
    expect(rows[0]).toMatchObject({
      actor: 'ada@example.org',
      ipAddress: admin.ipAddress,
      before: { name: 'Audited', description: 'Why it is there', members: [], configurations: [] },
      after: null,
    })
    const wish = { actorId: admin.actor.userId, objectId: id }
    expect(await readNarrowed(admin, wish)).toEqual({
      person: 'Test person',
      object: 'Audited',
    })
    const gone = { actorId: randomUUID(), objectId: randomUUID() }
    const unknown = { person: 'a deleted account', object: null }
    expect(await readNarrowed(admin, gone)).toEqual(unknown)
    const second = { from: '2026-01-01T00:00:01Z', to: '2026-01-01T01:00:02+01:00' }
    expect((await list(second)).total).toBe(3)
    expect((await list({ actor: '%' })).total).toBe(0)
    expect((await list({ actorId: member.actor.userId })).total).toBe(0)
    const occurring = await db().auditEntry.findMany({ orderBy: { action: 'asc' } })
    expect(await listAuditWords(admin)).toEqual({
      actions: [...new Set(occurring.map(({ action }) => action))],
      objectTypes: expect.arrayContaining(['group', 'thing']),
    })
  })

  test('is for admins', async () => {
    await expect(listAudit(member, AuditFilter.parse({}))).rejects.toThrow(ForbiddenError)
    await expect(listAuditWords(member)).rejects.toThrow(ForbiddenError)
    await expect(exportAudit(member, { format: 'csv' })).rejects.toThrow(ForbiddenError)
  })

  test('never holds what sounds like a secret, not even when it was written down', async () => {
    await withTransaction((tx) =>
      recordAudit(tx, admin, {
        action: 'test.secret',
        objectType: 'test',
        objectId: null,
        after: { apiKey: 'sk-very-secret', passwordHash: '$argon2id$x' },
      }),
    )
    await db().auditEntry.create({
      data: {
        actorLabel: 'by hand',
        action: 'test.secret',
        objectType: 'test',
        after: { clientSecret: 'sk-very-secret' },
      },
    })
    const exported = await textOf(
      await exportAudit(admin, { format: 'csv', action: 'test.secret' }),
    )
    expect(exported).toContain('by hand')
    expect(exported).not.toMatch(/sk-very-secret|argon2id/)
  })
})

describe('an export', () => {
  test('has every row once, safe for spreadsheets and parsers, and is audited before its first line', async () => {
    const wish = { action: 'thing.change' }
    const csv = await textOf(await exportAudit(admin, { ...wish, format: 'csv' }))
    const lines = csv.split('\r\n')
    expect(lines.at(-1)).toBe('')
    expect(lines).toHaveLength(many + 2)
    expect(csv).toContain('"\'=HYPERLINK(""http://evil.example"",""x"")"')
    const ndjson = await textOf(await exportAudit(admin, { ...wish, format: 'ndjson' }))
    const rows = ndjson
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(new Set(rows.map(({ id }) => id)).size).toBe(many)
    const { rows: own } = await list({ action: 'audit.export', actor: 'ada' })
    expect(own[0]?.after).toEqual({ format: 'ndjson', action: 'thing.change' })
  })

  test('answers nobody who is not signed in as an admin, with no key either', async () => {
    const ask = (headers: Record<string, string> = {}) =>
      GET(new Request('http://localhost/api/audit/export?format=csv', { headers }), {
        params: undefined,
      })
    expect((await ask()).status).toBe(401)
    const { token } = await createApiKey(admin, { name: 'k', scopes: ['runs:read'] })
    expect((await ask({ authorization: `Bearer ${token}` })).status).toBe(403)
  })
})
