import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { type StandaloneServer, startStandaloneServer } from '../support/standalone-server'
import { words } from '../support/words'
import { readJournal } from './support/journal'
import {
  calls,
  end,
  expectEnd,
  fillPlayground,
  pressRun,
  round,
  run,
  runIdOf,
} from './support/playground'
import { sendSignIn } from './support/sign-in'
import { accounts, readSite } from './support/site'
import { expect, test } from './support/test'

// A server of its own, to be killed, on its own copy of the database.
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

async function appended(): Promise<string[]> {
  const text = await readFile(appendFile, 'utf8').catch(() => '')
  return text.split('\n').filter(Boolean)
}

test.beforeAll(async () => {
  await rm(appendFile, { force: true })
  server = await start()
})

test.afterAll(() => server.stop('SIGKILL'))

async function openSignedIn(
  visit: (who: 'stranger', options: { baseURL: string }) => Promise<Page>,
): Promise<Page> {
  const page = await visit('stranger', { baseURL: server.baseUrl })
  await page.goto('/sign-in')
  await sendSignIn(page, accounts.admin)
  await expect(page).toHaveURL(/\/playground$/)
  return page
}

test('killed in the middle of an answer and of calls: open pages see every run to its end', async ({
  visit,
}) => {
  // Four forms, a restart and four runs to their ends.
  test.slow()
  const text = words(100)
  const streaming = await openSignedIn(visit)
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
  await expect.poll(appended).toEqual(['after'])
  await expect(round(streaming, 1)).toContainText('w1 w2')

  await server.stop('SIGKILL')
  await expect(run(streaming).getByText('Reconnecting…')).toBeVisible()
  await expect(end(streaming)).toHaveCount(0)
  server = await start()

  await expectEnd(streaming, 'Completed')
  await expect(round(streaming, 1).getByText(text, { exact: true })).toBeVisible()
  await expectEnd(reading, 'Completed')
  await expect(calls(reading).getByText('Done', { exact: true })).toHaveCount(1)
  await expect(run(reading)).toContainText('Read in the end.')
  for (const page of [writing, written]) {
    await expectEnd(page, 'Completed')
    await expect(calls(page).getByText('Unknown outcome', { exact: true })).toHaveCount(1)
  }
  expect(await appended()).toEqual(['after'])
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
