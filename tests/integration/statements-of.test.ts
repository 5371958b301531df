import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { env } from '@/lib/kernel/env'
import { statementsOf } from '@/tests/support/statements-of'

const pool = new pg.Pool({ connectionString: env().DATABASE_URL, max: 1 })

afterAll(() => pool.end())

const textsOf = async (work: () => Promise<unknown>) =>
  (await statementsOf(work)).map(({ text }) => text)

test('a statement counts for the work that sent it, also when it waited for a connection of another', async () => {
  const other = await pool.connect()
  const counted = textsOf(() => pool.query('SELECT 1 AS own'))
  other.release()
  expect(await counted).toEqual(['SELECT 1 AS own'])
})

test('a statement of another that waits for the connection of this work does not count', async () => {
  const own = await pool.connect()
  const other = pool.query('SELECT 2 AS other')
  const texts = await textsOf(async () => {
    await own.query('SELECT 1 AS own')
    own.release()
    await other
  })
  expect(texts).toEqual(['SELECT 1 AS own'])
})
