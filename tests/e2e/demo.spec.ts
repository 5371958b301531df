import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright/test'
import { type StandaloneServer, startStandaloneServer } from '@/tests/support/standalone-server'
import { go } from './support/go'
import { expectAccessible } from './support/page-checks'
import { calls, expectEnd, pressRun, run } from './support/playground'
import { readSite } from './support/site'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

// A workspace and a tool that writes concern a whole site: a server of its own, on its own copy of the database.
let server: StandaloneServer
let base: string

// Both tests use the one server.
test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'first-workspace-')))
  const { env, first, port } = readSite()
  server = await startStandaloneServer(port + 5, { ...env, DATABASE_URL: first.databaseUrl })
})

test.afterAll(async () => {
  await server.stop()
  await rm(base, { recursive: true, force: true })
})

const start = (page: Page) => page.getByRole('region', { name: 'Start here' })
const example = (page: Page, name: string | RegExp) => start(page).getByRole('button', { name })

async function openDemo(page: Page): Promise<void> {
  await go(page, '/playground?configuration=demo')
  await whenInteractive(page.getByRole('button', { name: 'Run', exact: true }))
}

test('without a key, the demo writes a file once a person approved it, and shows what is there then', async ({
  visit,
}) => {
  test.slow()
  const page = await visit('admin', { baseURL: server.baseUrl })
  await openDemo(page)
  await expectAccessible(page, 'the examples of the demo')
  await start(page).getByRole('link', { name: 'Add a workspace' }).click()

  const form = page.getByRole('dialog')
  await expect(form.getByLabel('Name', { exact: true })).toHaveValue('handbook')
  await expect(form.getByLabel('Folder', { exact: true })).toHaveValue(/toolgate-handbook$/)
  await expect(form.getByLabel('Tools may write files')).toBeChecked()
  const folder = path.join(base, 'handbook')
  await form.getByLabel('Folder', { exact: true }).fill(folder)
  await form.getByLabel('Create the folder').check()
  await form.getByRole('button', { name: 'Add workspace' }).click()
  await expect(page.getByText('Added the workspace', { exact: true })).toBeVisible()

  await openDemo(page)
  await start(page).getByRole('link', { name: 'Switch on write_file' }).click()
  const toolSwitch = page.getByRole('switch', { name: 'write_file', exact: true })
  await whenInteractive(toolSwitch)
  await toolSwitch.click()
  await expect(page.getByText('Switched on write_file', { exact: true })).toBeVisible()

  await openDemo(page)
  await example(page, /^Write notes\.md in handbook/).click()
  await pressRun(page)
  const write = calls(page).first()
  await expect(write).toContainText('Hello from the demo')
  await write.getByRole('button', { name: 'Approve write_file' }).click()
  await expectEnd(page, 'Completed')
  await expect(write.getByText('Before and after', { exact: true })).toBeVisible()
  expect(await readFile(path.join(folder, 'notes.md'), 'utf8')).toBe('Hello from the demo')
  await expect(run(page)).toContainText('written: new file')
  await expect(run(page)).toContainText('Lines 1 to 1 of 1. Hello from the demo')
  await expectAccessible(page, 'a run of the demo that wrote')
})

test('the demo says why a call was refused and where to change it', async ({ visit }) => {
  const page = await visit('admin', { baseURL: server.baseUrl })
  await openDemo(page)
  await example(page, 'Use get_env_raw and show what it returns.').click()
  await pressRun(page)
  await expectEnd(page, 'Completed')
  await expect(calls(page)).toHaveCount(1)
  await expect(calls(page).first()).toContainText('Denied: switched off for this site')
  await expect(run(page)).toContainText('An admin can switch it on under Tools.')
})
