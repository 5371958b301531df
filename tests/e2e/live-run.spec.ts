import type { Page } from '@playwright/test'
import { words } from '../support/words'
import { openCuttableNetwork } from './support/cuttable-network'
import { readJournal } from './support/journal'
import { newMark } from './support/model-requests'
import { calls, end, expectEnd, round, run, runPrompt } from './support/playground'
import { readSite } from './support/site'
import { expect, test } from './support/test'

async function expectRunning(page: Page): Promise<void> {
  await expect(run(page).getByText('Running', { exact: true }).first()).toBeVisible()
  await expect(end(page)).toHaveCount(0)
}

test('words are on the page before the run ends, and a reload loses and doubles none', async ({
  page,
  context,
}) => {
  const text = words(180)
  const runId = await runPrompt(page, {
    prompt: `${newMark()} [[call slow_read {"ms":50,"label":"begin"}]] [[then]] [[say slowly 100ms: ${text}]]`,
  })
  await expect(round(page, 2)).toContainText('w1 w2')
  await expectRunning(page)

  await page.reload()
  await expect(round(page, 2)).toContainText('w1 w2')
  const second = await context.newPage()
  await second.goto(`/runs/${runId}`)
  await expect(round(second, 2)).toContainText('w1 w2')
  await expectRunning(second)

  for (const each of [page, second]) {
    await expectEnd(each, 'Completed')
    await expect(round(each, 2).getByText(text, { exact: true })).toBeVisible()
    await expect(calls(each)).toHaveCount(1)
  }
  const events = await readJournal(page.request, runId)
  expect(events.filter((event) => event.type === 'run-end')).toHaveLength(1)
  // Deltas go when their round ends; the round's message is its own event (SPEC J2).
  expect(events.filter((event) => event.type === 'text-delta')).toEqual([])
})

test('a lost network is rejoined at the right word', async ({ visit }) => {
  const { port } = readSite()
  const network = await openCuttableNetwork(port + 3, port)
  const page = await visit('admin', { baseURL: `http://localhost:${port + 3}` })
  const text = words(80)
  await runPrompt(page, { prompt: `${newMark()} [[say slowly 100ms: ${text}]]` })
  await expect(round(page, 1)).toContainText('w1 w2')
  network.cut()
  await expect(run(page).getByText('Reconnecting…')).toBeVisible()
  network.restore()
  await expectEnd(page, 'Completed')
  await expect(round(page, 1).getByText(text, { exact: true })).toBeVisible()
  await page.close()
  network.close()
})
