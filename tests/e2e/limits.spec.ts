import { readJournal } from './support/journal'
import { modelRequests, newMark } from './support/model-requests'
import { calls, end, expectEnd, run, runPrompt } from './support/playground'
import { expect, test } from './support/test'

test('the round limit executes what was asked for, closes without tools and says "truncated"', async ({
  page,
}) => {
  const mark = newMark()
  await runPrompt(page, {
    prompt: `${mark} [[always]] [[call slow_read {"ms":0,"label":"once"}]]`,
    maxRounds: 1,
  })
  await expectEnd(page, 'Round limit')
  await expect(end(page).getByText('Truncated', { exact: true })).toBeVisible()
  await expect(calls(page).getByText('Done', { exact: true })).toHaveCount(1)
  await expect(run(page).getByRole('heading', { name: 'Final answer (round 2)' })).toBeVisible()

  const requests = await modelRequests(mark)
  expect(requests).toHaveLength(2)
  expect(requests[0]?.body).toHaveProperty('tools')
  expect(requests[1]?.body).not.toHaveProperty('tools')
})

test('an answer that hits the output limit is marked, and none of its calls run', async ({
  page,
}) => {
  await runPrompt(page, {
    prompt: `${newMark()} [[say: Half an answer]] [[call slow_read {"ms":0,"label":"no"}]] [[finish length]]`,
  })
  await expectEnd(page, 'Cut off')
  await expect(run(page)).toContainText('Half an answer')
  await expect(calls(page).getByText('Done', { exact: true })).toHaveCount(0)
})

test('with no tool picked the request has no tools field', async ({ page }) => {
  const mark = newMark()
  await runPrompt(page, { prompt: `${mark} [[say: Offered: {{offer}}.]]`, tools: [] })
  await expectEnd(page, 'Completed')
  await expect(run(page)).toContainText('Offered: no tools.')
  await expect(run(page)).toContainText('No tools for this run')
  const [request] = await modelRequests(mark)
  expect(request?.body).not.toHaveProperty('tools')
})

test('only picked tools are offered; another one is refused by name of the gate', async ({
  page,
}) => {
  const mark = newMark()
  await runPrompt(page, {
    prompt: `${mark} [[call big_result {"kilobytes":1}]] [[then]] [[say: Offered: {{offer}}.]]`,
    tools: ['slow_read'],
  })
  await expectEnd(page, 'Completed')
  await expect(run(page)).toContainText('Offered: slow_read.')
  await expect(calls(page)).toContainText('Denied: not picked for this run')
})

test('a large result is cut for the model, folded on the page, and read whole on demand', async ({
  page,
}) => {
  const mark = newMark()
  const runId = await runPrompt(page, {
    prompt: `${mark} [[call big_result {"kilobytes":200}]] [[then]] [[say: Read.]]`,
  })
  await expectEnd(page, 'Completed')
  const call = calls(page).first()
  await call.getByRole('button').first().click()
  await expect(call).toContainText('cut from 200 KB)')
  await expect(call).not.toContainText('200 lorem')
  await call.getByRole('button', { name: 'Load the whole result (200 KB)' }).click()
  await call.getByRole('button', { name: 'Show all (200 KB)' }).click()
  await expect(call.getByRole('region', { name: 'Raw result' })).toContainText('200 lorem')

  const requests = await modelRequests(mark)
  const result = requests[1]?.results[0] ?? ''
  expect(result).toContain('[truncated: 204800 bytes in all]')
  expect(result.length).toBeLessThan(66_000)
  const journal = JSON.stringify(await readJournal(page.request, runId))
  expect(journal.length).toBeLessThan(150_000)
})
