import pg from 'pg'
import type { APIRequestContext } from 'playwright/test'
import { expectAccessible } from './support/page-checks'
import { calls, expectEnd, runPrompt } from './support/playground'
import { readSite } from './support/site'
import { expect, test } from './support/test'

// A table of a shop, in a database of its own.
const database = `toolgate_test_${process.pid}_records`
const { DATABASE_URL = '' } = readSite().env
const address = new URL(DATABASE_URL)
address.pathname = `/${database}`
address.searchParams.set('sslmode', 'disable')

async function ask(url: string, ...statements: string[]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let rows: unknown[] = []
  for (const sql of statements) rows = (await client.query(sql)).rows
  await client.end()
  return rows
}

let client: APIRequestContext

test.beforeAll(async ({ playwright, baseURL }) => {
  client = await playwright.request.newContext({
    baseURL,
    storageState: { cookies: [], origins: [] },
    extraHTTPHeaders: { authorization: `Bearer ${readSite().adminKey}` },
  })
  await ask(DATABASE_URL, `CREATE DATABASE ${database} TEMPLATE template1`)
  await ask(
    address.href,
    'CREATE TABLE orders (id integer PRIMARY KEY, status text NOT NULL)',
    `INSERT INTO orders VALUES (7, 'open'), (8, 'open')`,
  )
})

test.afterAll(async () => {
  await client.dispose()
  await ask(DATABASE_URL, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
})

test('a run changes a row once a person approved the row that it becomes', async ({ page }) => {
  const send = async (path: string, data: object, method: 'post' | 'put' = 'post') => {
    const response = await client[method](`/api/v1/${path}`, { data })
    expect(response.ok(), await response.text()).toBe(true)
    return response.json()
  }
  await send('tools/update_record', { enabled: true, reason: 'a test' }, 'put')
  const source = { name: `orders-${test.info().retry}`, kind: 'postgresql', address: address.href }
  const { id } = (await send('data-sources', { ...source, privateAddressAllowed: true })).dataSource
  const columns = ['id', 'status']
  const orders = { schema: 'public', name: 'orders', columns, updateColumns: ['status'] }
  await send(`data-sources/${id}/tables`, orders)

  const change = 'Change status from "open" to "paid" in the row of orders where id is 7'
  await runPrompt(page, {
    configuration: 'Demo (no model)',
    prompt: change,
    tools: ['update_record'],
  })
  const call = calls(page).first()
  await expect(call).toContainText('Waiting for approval')
  await expect(call).toContainText('status: open')
  await expect(call).toContainText('status: paid')
  await expectAccessible(page, 'a change of a record that waits')
  const rows = () => ask(address.href, 'SELECT id, status FROM orders ORDER BY id')
  expect(await rows()).toMatchObject([{ status: 'open' }, { status: 'open' }])
  await call.getByRole('button', { name: 'Approve update_record' }).click()
  await expectEnd(page, 'Completed')
  await expect(call).toContainText('Done')
  expect(await rows()).toMatchObject([{ id: 7, status: 'paid' }, { status: 'open' }])

  await client.delete('/api/v1/tools/update_record')
  expect((await client.delete(`/api/v1/data-sources/${id}`)).ok()).toBe(true)
})
