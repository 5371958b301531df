import { PrismaPg } from '@prisma/adapter-pg'
import { Pool } from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { problem } from '@/lib/doors/http'
import { PrismaClient } from '@/lib/generated/prisma/client'
import { describeError } from './describe-error'
import { DiskFullError } from './errors'

// Port 1 has no listener, so the connection is refused at once.
const pool = new Pool({ connectionString: 'postgresql://nobody:x@127.0.0.1:1/nothing' })
const adapter = new PrismaPg(pool)
const unreachable = new PrismaClient({ adapter })
afterAll(() => unreachable.$disconnect())

describe('describeError', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['a query', () => unreachable.user.findFirst()],
    ['a raw query', () => unreachable.$queryRaw`SELECT 1`],
    ['a statement of the pool', () => pool.query('SELECT 1')],
    ['a transaction', () => unreachable.$transaction((tx) => tx.user.findFirst())],
  ])('answers 503 when the database cannot be reached by %s', async (_, ask) => {
    const error: unknown = await ask().catch((thrown: unknown) => thrown)
    expect(describeError(error, 'test')).toEqual({
      code: 'unavailable',
      status: 503,
      message: 'Toolgate cannot reach its database. Try again in a moment.',
    })
  })

  it.each([
    Object.assign(new Error('sorry, too many clients already'), { code: '53300' }),
    new Error('timeout exceeded when trying to connect'),
  ])('says that the database is busy when all of its connections are taken', (error) => {
    const { status, message } = describeError(error, 'test')
    expect(status).toBe(503)
    expect(message).toContain('more to ask its database than it may at once')
    const answer = problem(error, new Request('http://localhost/api/v1/runs'))
    expect(answer.headers.get('retry-after')).toBe('5')
  })

  it('says when to ask again while the disk is full', () => {
    const answer = problem(new DiskFullError(), new Request('http://localhost/api/v1/runs'))
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([507, '60'])
  })

  it('keeps what was not meant for people behind an incident', () => {
    const described = describeError(new Error('password is hunter2'), 'test')
    expect(described).toMatchObject({ code: 'internal', status: 500 })
    expect(described.message).toContain(described.incidentId)
    expect(described.message).not.toContain('hunter2')
  })
})
