import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sandboxProblem } from '@/lib/engines/programs/command-sandbox'
import { giveToOwner } from '@/tests/support/workspace-folder'
import { go } from './support/go'
import { newMark } from './support/model-requests'
import { expectAccessible } from './support/page-checks'
import { calls, expectEnd, fillPlayground, pressRun } from './support/playground'
import { readSite } from './support/site'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

/** Makes a folder with a repository that has one commit. */
function makeRepository(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'repository-')))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
      cwd: folder,
    })
  writeFileSync(path.join(folder, 'notes.md'), 'One line.\n')
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'Begin with a note')
  giveToOwner(folder)
  return folder
}

test('an admin allows git, approves git log by its command line, and git -c is refused without asking', async ({
  page,
  playwright,
  baseURL,
}) => {
  const problem = await sandboxProblem()
  const client = await playwright.request.newContext({
    baseURL,
    storageState: { cookies: [], origins: [] },
    extraHTTPHeaders: { authorization: `Bearer ${readSite().adminKey}` },
  })
  const workspace = `repository-${test.info().retry}`
  await go(page, `/resources/workspaces?add=${workspace}`)
  const place = page.getByRole('dialog')
  await place.getByLabel('Folder', { exact: true }).fill(makeRepository())
  await place.getByRole('button', { name: 'Add workspace' }).click()
  await expect(page.getByText('Added the workspace', { exact: true })).toBeVisible()

  await go(page, '/resources/programs')
  const allow = page.getByRole('button', { name: 'Allow git' })
  await expectAccessible(page, 'programs of the server')
  // A first try that failed later has added it.
  if (test.info().retry === 0) {
    await whenInteractive(allow)
    await allow.click()
    const form = page.getByRole('dialog')
    await expect(form.getByLabel('Path')).toHaveValue(/\/git$/)
    await expect(form.getByLabel('Allowed first arguments')).toHaveValue(/^log show diff /)
    if (problem !== null) {
      await form.getByLabel(/^Why it may run without/).fill('This machine is for tests alone.')
    }
    await form.getByRole('button', { name: 'Add program' }).click()
    await expect(page.getByRole('link', { name: 'git', exact: true })).toBeVisible()
    await expect(allow).toHaveCount(0)
  }
  await page.getByRole('link', { name: 'git', exact: true }).click()
  await expect(page.getByText(problem ? 'it says none' : /^git version \d/)).toBeVisible()
  const on = { enabled: true, reason: 'A look at the history' }
  const exec = '/api/v1/tools/exec'
  // A key does not decide what runs on the server; a person does.
  expect((await client.put(exec, { data: on })).status()).toBe(403)
  const headers = { origin: baseURL ?? '' }
  expect((await page.request.put(exec, { data: on, headers })).ok()).toBe(true)

  const ask = (...args: string[]) =>
    `[[call exec ${JSON.stringify({ workspace, program: 'git', arguments: args })}]]`
  const request = [ask('-c', 'core.pager=id', 'log'), ask('log', '--format=%s by %an')]
  const prompt = `${newMark()} ${request.join(' [[then]] ')} [[then]] [[say: Done.]]`
  await fillPlayground(page, { prompt, tools: ['exec'] })
  await pressRun(page)
  const [refused, approved] = [calls(page).first(), calls(page).nth(1)]
  await expect(refused).toContainText('The first argument of git must be one of log, show, diff')
  await expect(approved).toContainText(
    "/usr/bin/git --no-pager log --no-ext-diff --no-textconv '--format=%s by %an'",
  )
  await expect(approved).toContainText(`in ${workspace}`)
  await expectAccessible(page, 'a command that waits')
  await approved.getByRole('button', { name: 'Approve exec' }).click()
  await expectEnd(page, 'Completed')
  await expect(approved).toContainText('Begin with a note by Ada')

  await client.delete('/api/v1/tools/exec')
  await client.dispose()
})
