import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import type { Locator, Page } from 'playwright/test'
import { type StandaloneServer, startStandaloneServer } from '@/tests/support/standalone-server'
import { words } from '@/tests/support/words'
import { decideInInbox, decideInTrace, waitForApproval } from './support/approvals'
import { newMark } from './support/model-requests'
import {
  calls,
  end,
  expectEnd,
  fillPlayground,
  pressRun,
  readJournal,
  round,
  run,
  runIdOf,
  runPrompt,
} from './support/playground'
import { accounts, readSite, stateFile } from './support/site'
import { expect, test } from './support/test'
import { openTools } from './support/tools-page'
import { whenInteractive } from './support/when-interactive'

// These tests change a whole site, so they have a server of their own, on its own copy of the database.
const appendFile = path.resolve('.data/e2e/lines-of-crash.txt')
let server: StandaloneServer

async function start(): Promise<StandaloneServer> {
  const { env, spare, port } = readSite()
  return startStandaloneServer(port + 2, {
    ...env,
    DATABASE_URL: spare.databaseUrl,
    TOOLGATE_TEST_APPEND_FILE: appendFile,
  })
}

/** Returns the lines that the tool wrote and that begin with `mark`. */
async function appended(mark: string): Promise<string[]> {
  const text = await readFile(appendFile, 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line.startsWith(mark))
}

// The last test ends the server.
test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  await rm(appendFile, { force: true })
  server = await start()
})

test.afterAll(() => server.stop('SIGKILL'))

function freezeBar(page: Page): Locator {
  return page.getByRole('region', { name: 'Site freeze' })
}

/** Checks that a page that was open before the freeze switches Run off, with the reason beside it. */
async function expectRunDisabled(page: Page): Promise<void> {
  await page.bringToFront()
  const runButton = page.getByRole('button', { name: 'Run', exact: true })
  await expect(runButton).toBeDisabled()
  await expect(runButton).toHaveAccessibleDescription(
    new RegExp(`${accounts.admin.email} froze this site at .*A <b>leak</b>`),
  )
}

/** More than the six connections that a browser opens to a site. */
const mostTabs = Number(process.env.E2E_TABS ?? 7)

/** Opens tabs of one browser that all watch runs, each one of its own. */
async function openTabs(page: Page): Promise<Page[]> {
  const headers = { origin: server.baseUrl }
  const prompt = `[[say slowly 1000ms: ${'tabs and '.repeat(250)}tabs]]`
  const data = { configuration: 'local-openai-compatible', prompt, tools: null, maxRounds: null }
  const started = Array.from({ length: mostTabs }, async () => {
    const answer = await page.request.post('/api/v1/runs', { data, headers })
    return (await answer.json()).runId
  })
  const tabs: Page[] = []
  for (const runId of await Promise.all(started)) {
    const tab = await page.context().newPage()
    await tab.goto(`/runs/${runId}`)
    await expect(round(tab, 1)).toContainText('tabs and')
    tabs.push(tab)
  }
  return tabs
}

test('a freeze ends the runs, shows on every page and refuses new runs, until it is lifted', async ({
  visit,
}) => {
  test.setTimeout(120_000 + mostTabs * 10_000)
  const running = await visit('admin', { baseURL: server.baseUrl })
  const member = await visit('member', { baseURL: server.baseUrl })
  await member.goto('/playground')
  const tabs = await openTabs(running)
  await runPrompt(running, { prompt: `[[say slowly 100ms: ${'on and '.repeat(3_000)}on]]` })
  await expect(round(running, 1)).toContainText('on and')

  const page = await running.context().newPage()
  await openTools(page)
  const freeze = page.getByRole('button', { name: 'Freeze site', exact: true })
  await whenInteractive(freeze)
  await freeze.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Freeze this site' }).click()
  await expect(dialog.getByText('Enter a reason. Everybody will see it.')).toBeVisible()
  await dialog.getByLabel('Reason').fill('A <b>leak</b>')
  await dialog.getByRole('button', { name: 'Freeze this site' }).click()
  await expect(freezeBar(page)).toContainText('Ada Admin')
  await expect(freezeBar(page)).toContainText('“A <b>leak</b>”')

  await expectEnd(running, 'Frozen')
  await expect(end(running)).toContainText(`${accounts.admin.email}: A <b>leak</b>.`)
  await expect(freezeBar(running)).toBeVisible()
  for (const tab of tabs) {
    await expectEnd(tab, 'Frozen')
    await tab.close()
  }

  await expect(member.getByRole('button', { name: 'Freeze site', exact: true })).toHaveCount(0)
  await expectRunDisabled(member)
  await expect(freezeBar(member)).toBeVisible()
  await expect(freezeBar(member).getByRole('button')).toHaveCount(0)

  await freezeBar(page).getByRole('button', { name: 'Unfreeze' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unfreeze this site' }).click()
  await expect(freezeBar(page)).toHaveCount(0)
  await runPrompt(member, { prompt: '[[say: Going again.]]' })
  await expectEnd(member, 'Completed')
  await expect(freezeBar(member)).toHaveCount(0)
})

/** Ends the connections that wait for this table, as PostgreSQL does when it stops. Returns how many there were. */
async function endWaiting(database: pg.Client, table: string): Promise<number> {
  const ended = await database.query(
    'SELECT pg_terminate_backend(pid) FROM pg_locks WHERE relation = $1::regclass AND NOT granted',
    [table],
  )
  return ended.rows.length
}

test('a page that began to arrive before the database went away says so in place of its content', async ({
  browser,
}) => {
  // Its console is not watched, because the framework writes the error there, too.
  const context = await browser.newContext({ storageState: stateFile('admin') })
  const page = await context.newPage()
  const database = new pg.Client({ connectionString: readSite().spare.databaseUrl })
  await database.connect()
  await database.query('BEGIN; LOCK TABLE channels')
  const answer = await page.goto(`${server.baseUrl}/channels`, { waitUntil: 'commit' })
  expect(answer?.status()).toBe(200)
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible()
  await expect.poll(() => endWaiting(database, 'channels')).toBeGreaterThan(0)
  await expect(page.getByRole('heading', { name: 'The database does not answer' })).toBeVisible()
  await expect(page.getByText('cannot reach its database')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible()
  await database.end()

  const again = page.getByRole('button', { name: 'Try again' })
  await whenInteractive(again)
  await again.click()
  await expect(page.getByRole('heading', { name: 'Channels' })).toBeVisible()
  await context.close()
})

test('killed in the middle of an answer, of calls and while calls wait: open pages see every run to its end', async ({
  visit,
}) => {
  // Six forms, a restart, six runs to their ends, and three looks.
  test.slow()
  const mark = newMark()
  const text = words(100)
  const trace = await visit('admin', { baseURL: server.baseUrl })
  const inbox = await trace.context().newPage()
  await test.step('calls wait for approval', () => waitForApproval(trace, inbox, mark))

  const streaming = await visit('admin', { baseURL: server.baseUrl })
  const [reading, writing, written] = [
    await streaming.context().newPage(),
    await streaming.context().newPage(),
    await streaming.context().newPage(),
  ]
  const prompts: [Page, string][] = [
    [writing, '[[call append_line {"text":"before","delayMs":50000}]] [[then]] [[say: Told.]]'],
    [written, '[[call append_line {"text":"after","delayAfterMs":50000}]] [[then]] [[say: Told.]]'],
    [reading, '[[call slow_read {"ms":15000}]] [[then]] [[say: Read in the end.]]'],
    [streaming, `[[say slowly 120ms: ${text}]]`],
  ]
  for (const [page, prompt] of prompts) await fillPlayground(page, { prompt })
  for (const [page] of prompts) await pressRun(page)
  const ids = await Promise.all(prompts.map(([page]) => runIdOf(page)))
  for (const page of [reading, writing, written]) {
    await expect(calls(page).getByText('Running', { exact: true })).toBeVisible()
  }
  await expect.poll(() => appended('after')).toEqual(['after'])
  await expect(round(streaming, 1)).toContainText('w1 w2')

  await server.stop('SIGKILL')
  await expect(run(streaming).getByText('Reconnecting…')).toBeVisible()
  await expect(end(streaming)).toHaveCount(0)
  server = await start()

  await test.step('a call that waited runs with the arguments it was approved with', async () => {
    await decideInInbox(inbox, mark)
    expect(await appended(mark)).toEqual([`${mark} past`])
    await decideInTrace(trace, inbox, mark)
    expect(await appended(mark)).toEqual([`${mark} past`, `${mark} edited`, `${mark} third`])
  })

  await expectEnd(streaming, 'Completed')
  await expect(round(streaming, 1).getByText(text, { exact: true })).toBeVisible()
  await expectEnd(reading, 'Completed')
  await expect(calls(reading).getByText('Done', { exact: true })).toHaveCount(1)
  await expect(run(reading)).toContainText('Read in the end.')
  for (const page of [writing, written]) {
    await expectEnd(page, 'Completed')
    await expect(calls(page).getByText('Unknown outcome', { exact: true })).toHaveCount(1)
  }
  expect(await appended('after')).toEqual(['after'])
  expect(await appended('before')).toEqual([])
  for (const runId of ids) {
    const events = await readJournal(streaming.request, runId)
    expect(events.filter((event) => event.type === 'run-end')).toHaveLength(1)
    const numbers = events.map((event) => event.seq)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  }
  const before = Date.now()
  await server.stop('SIGTERM')
  expect(server.process.exitCode).toBe(0)
  expect(Date.now() - before).toBeLessThan(10_000)
})
