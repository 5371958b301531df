import { go } from './support/go'
import { newMark } from './support/model-requests'
import { expectAccessible, expectEveryLook } from './support/page-checks'
import { calls, expectEnd, run, runPrompt } from './support/playground'
import { readSite } from './support/site'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

test('an admin adds a database that does not answer, and is told why in words', async ({
  page,
}) => {
  await go(page, '/resources/data-sources')
  const add = page.getByRole('button', { name: 'Add data source' }).first()
  await whenInteractive(add)
  await add.click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill(`shop-${test.info().retry}`)
  await form.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'PostgreSQL' }).click()
  const address = 'postgresql://reader:hidden-word@127.0.0.1:9/shop?sslmode=disable'
  await form.getByLabel('Connection string').fill(address)
  await form.getByRole('button', { name: 'Add data source' }).click()
  await expect(form.getByText(/^This address is on this machine/)).toBeVisible()
  await form.getByLabel('Allow this address in a private network').check()
  await form.getByRole('button', { name: 'Add data source' }).click()
  const problem = page.getByText('Nothing listens at this host and port.')
  // Above the tables, and where queries are allowed.
  await expect(problem).toHaveCount(2)
  await expect(problem.first()).toBeVisible()
  await expect(
    page.getByText('postgresql://reader@127.0.0.1:9/shop?sslmode=disable').first(),
  ).toBeVisible()
  await expect(page.getByText('hidden-word')).toHaveCount(0)
  await expectAccessible(page, 'a data source that does not answer')
})

test('an admin opens columns of a table, and allows queries: a run reads only what is open', async ({
  page,
  playwright,
  baseURL,
}) => {
  test.slow()
  const tool = '/api/v1/tools/run_query'
  const client = await playwright.request.newContext({
    baseURL,
    storageState: { cookies: [], origins: [] },
    extraHTTPHeaders: { authorization: `Bearer ${readSite().adminKey}` },
  })
  const id = readSite().wide.find((each) => each.startsWith('/resources/data-sources/'))
  await go(page, id ?? '/resources/data-sources')
  await whenInteractive(page.getByRole('switch').first())
  await page.getByRole('switch').first().click()
  const showAll = page.getByRole('button', { name: /^Show all \d+ tables$/ })
  const open = page.getByRole('button', { name: 'Open public.users' })
  await showAll.click()
  await open.click()
  const form = page.getByRole('dialog')
  await expect(form.getByRole('checkbox', { name: /^passwordHash/ })).toHaveCount(0)
  await form.getByRole('checkbox', { name: /^email/ }).uncheck()
  await expectAccessible(page, 'the form of a table')
  await form.getByRole('button', { name: 'Open table' }).click()
  const close = page.getByRole('button', { name: 'Close public.users' })
  await expect(close).toBeVisible()

  const prompt = `${newMark()} [[call read_records {"table": "users"}]] [[then]] [[say: {{results}}]]`
  await runPrompt(page, { prompt, tools: ['read_records'] })
  await expectEnd(page, 'Completed')
  await expect(calls(page).first()).toContainText('Done')
  await expect(run(page)).toContainText('Ada Admin')
  await expect(run(page)).not.toContainText('passwordHash')

  await go(page, id ?? '')
  await whenInteractive(close)
  await showAll.click()
  await close.click()
  await expect(open).toBeVisible()
  for (const name of ['models', 'users'])
    await page.getByRole('checkbox', { name: `Pick public.${name}` }).click()
  await page.getByRole('button', { name: 'Open 2 tables' }).click()
  await expectEveryLook(page, 'the form of several tables')
  await form.getByRole('button', { name: 'Open 2 tables' }).click()
  for (const name of ['models', 'users']) {
    await page.getByRole('button', { name: `Close public.${name}` }).click()
    await expect(page.getByRole('button', { name: `Open public.${name}` })).toBeVisible()
  }
  await page.getByRole('button', { name: 'Allow queries' }).click()
  const takeBack = page.getByRole('button', { name: 'Take queries back' })
  await expect(takeBack).toBeVisible()
  await expectAccessible(page, 'a data source with queries')
  await page.getByRole('button', { name: 'Switch on run_query' }).click()
  await expect(page.getByText('The tool run_query is off')).toHaveCount(0)
  const sql = 'SELECT sign(count(id)) AS found FROM public.groups'
  await runPrompt(page, {
    configuration: 'Demo (no model)',
    tools: ['run_query'],
    prompt: `Run the query "${sql}"`,
  })
  await expectEnd(page, 'Completed')
  await expect(calls(page).first()).toContainText('Done')
  await expect(run(page)).toContainText('found 1')

  await go(page, id ?? '')
  await whenInteractive(takeBack)
  await takeBack.click()
  await expect(page.getByRole('button', { name: 'Allow queries' })).toBeVisible()
  await page.getByRole('switch').first().click()
  await client.delete(tool)
  await client.dispose()
})
