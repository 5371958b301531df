import { readJournal } from './support/journal'
import { modelRequests, newMark } from './support/model-requests'
import { calls, end, expectEnd, round, run, runPrompt } from './support/playground'
import { expect, test } from './support/test'

test('several rounds with parallel calls and a large result are shown, and what was not picked is refused', async ({
  page,
}) => {
  const mark = newMark()
  const runId = await runPrompt(page, {
    prompt: [
      `${mark} [[say: I look at both sides.]]`,
      '[[call slow_read {"ms":1000,"label":"left side"}]] [[call slow_read {"ms":1000,"label":"right side"}]]',
      '[[call list_users {}]]',
      '[[then]] [[call big_result {"kilobytes":200}]]',
      '[[then]] [[say: Both sides were read.]]',
    ].join(' '),
    tools: ['slow_read', 'big_result'],
  })
  await expectEnd(page, 'Completed')
  await expect(round(page, 1)).toContainText('I look at both sides.')
  await expect(round(page, 3)).toContainText('Both sides were read.')
  await expect(calls(page)).toHaveCount(4)
  await expect(calls(page).getByText('Done', { exact: true })).toHaveCount(3)
  await expect(calls(page).filter({ hasText: 'list_users' })).toContainText(
    'Denied: not picked for this run',
  )
  for (const fact of ['3 rounds', '4 calls']) {
    await expect(end(page).getByText(fact, { exact: true })).toBeVisible()
  }
  await expect(end(page).getByText(/^\$0\.\d+$/)).toBeVisible()
  await expect(end(page).getByText('Truncated')).toHaveCount(0)
  const first = calls(page).first()
  await first.getByRole('button').first().click()
  await expect(first).toContainText('"label": "left side"')
  await expect(run(page)).not.toContainText('"label": "right side"')

  const large = calls(page).filter({ hasText: 'big_result' })
  await large.getByRole('button').first().click()
  await expect(large).toContainText('cut from 200 KB)')
  await expect(large).not.toContainText('200 lorem')
  await large.getByRole('button', { name: 'Load the whole result (200 KB)' }).click()
  await large.getByRole('button', { name: 'Show all (200 KB)' }).click()
  await expect(large.getByRole('region', { name: 'Raw result' })).toContainText('200 lorem')
  const requests = await modelRequests(mark)
  const result = requests[2]?.results.at(-1) ?? ''
  expect(result).toContain('[truncated: 204800 bytes in all]')
  expect(result.length).toBeLessThan(66_000)
  const journal = JSON.stringify(await readJournal(page.request, runId))
  expect(journal.length).toBeLessThan(150_000)
})

test('a run that reached a limit says which, and one without tools that it had none', async ({
  page,
}) => {
  await runPrompt(page, {
    prompt: `${newMark()} [[always]] [[call slow_read {"ms":0,"label":"once"}]]`,
    maxRounds: 1,
  })
  await expectEnd(page, 'Round limit')
  await expect(end(page).getByText('Truncated', { exact: true })).toBeVisible()
  await expect(run(page).getByRole('heading', { name: 'Final answer (round 2)' })).toBeVisible()

  await runPrompt(page, {
    prompt: `${newMark()} [[say: Half an answer]] [[finish length]]`,
    tools: [],
  })
  await expectEnd(page, 'Cut off')
  await expect(run(page)).toContainText('Half an answer')
  await expect(run(page)).toContainText('No tools for this run')
})
