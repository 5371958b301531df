import type { Page } from 'playwright/test'
import { eventsIn } from '@/lib/protocol/run/run-delta'
import { words } from '@/tests/support/words'
import { openCuttableNetwork } from './support/cuttable-network'
import { newMark } from './support/model-requests'
import { calls, end, expectEnd, readJournal, round, run, runPrompt } from './support/playground'
import { readSite } from './support/site'
import { expect, test } from './support/test'

async function expectRunning(page: Page): Promise<void> {
  await expect(run(page).getByText('Running', { exact: true }).first()).toBeVisible()
  await expect(end(page)).toHaveCount(0)
}

test('words are on the page before the run ends; a reload, a second tab and a lost network lose and double none', async ({
  visit,
}) => {
  const { port } = readSite()
  const network = await openCuttableNetwork(port + 3, port)
  const page = await visit('admin', { baseURL: `http://localhost:${port + 3}` })
  const text = words(180)
  const runId = await runPrompt(page, {
    prompt: `${newMark()} [[call slow_read {"ms":50,"label":"begin"}]] [[then]] [[say slowly 100ms: ${text}]]`,
  })
  await expect(round(page, 2)).toContainText('w1 w2')
  await expectRunning(page)

  await page.reload()
  await expect(round(page, 2)).toContainText('w1 w2')
  const second = await page.context().newPage()
  await second.goto(`/runs/${runId}`)
  await expect(round(second, 2)).toContainText('w1 w2')
  await expectRunning(second)

  network.cut()
  for (const each of [page, second]) {
    await expect(run(each).getByText('Reconnecting…')).toBeVisible()
  }
  network.restore()
  for (const each of [page, second]) {
    await expectEnd(each, 'Completed')
    await expect(round(each, 2).getByText(text, { exact: true })).toBeVisible()
    await expect(calls(each)).toHaveCount(1)
  }
  const events = await readJournal(page.request, runId)
  expect(events.filter((event) => event.type === 'run-end')).toHaveLength(1)
  // Streamed pieces are no part of the journal; the message is (SPEC J2).
  expect(eventsIn(events)).toEqual(events)
  for (const each of [page, second]) await each.close()
  network.close()
})
