import type { Page } from 'playwright/test'
import { countClicks } from './support/count-clicks'
import { go } from './support/go'
import { modelRequests, newMark } from './support/model-requests'
import { expectAccessible, expectEveryLook } from './support/page-checks'
import { expectEnd, pressRun, run, runIdOf, runPrompt } from './support/playground'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

const changes = (page: Page) => page.getByRole('region', { name: 'Changes for this run' })

test('a finished run is run again with a change in three clicks, and both stand side by side', async ({
  visit,
}) => {
  const page = await visit('admin')
  const mark = newMark()
  const prompt = `${mark} [[say: The sky is red.]]`
  const first = await runPrompt(page, { prompt })
  await expectEnd(page, 'Completed')

  await go(page, `/runs/${first}`)
  const clicks = await countClicks(page)
  await run(page).getByRole('link', { name: 'Change and run again' }).click()
  await expect(page.getByText(`“${mark}`)).toBeVisible()
  await changes(page).getByLabel('Temperature').click()
  await page.keyboard.type('0.4')
  await pressRun(page)
  const second = await runIdOf(page)
  expect(await clicks()).toBeLessThanOrEqual(3)
  await expectEnd(page, 'Completed')
  await expect(changes(page)).toContainText('Changes for this run: temperature')
  await expectAccessible(page, 'the Playground with changes')

  await go(page, `/runs/${second}`)
  const lineage = page.getByRole('region', { name: 'Runs with a change' })
  await expect(lineage).toContainText('Changed from')
  await expect(lineage).toContainText('Changed: temperature')
  await expect(page.getByText('Changed for this run')).toBeVisible()
  await lineage.getByRole('link', { name: /^Compare/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`Compare ${mark}`)
  const sent = page.getByRole('region', { name: 'What was sent' })
  await expect(sent).toContainText('Temperature')
  await expect(sent).toContainText('0.4')
  await expect(page.getByText('The answers are identical.')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Tokens, cost and time' })).toContainText(
    'Time to first token',
  )
  await expectAccessible(page, 'two runs side by side')
  await page.getByRole('region', { name: 'Before' }).getByRole('link').click()
  await page.waitForURL(`**/runs/${first}`)
  await expect(lineage).toContainText('Run again with a change')

  await go(page, `/runs/${second}`)
  await page.getByRole('link', { name: 'Save to the configuration' }).click()
  await expect(page.getByText('Not saved yet')).toBeVisible()
  await page.getByText('Sampling and answers').click()
  await expect(page.getByRole('textbox', { name: 'Temperature' })).toHaveValue('0.4')
})

test('an answer that changed has its other words marked, and any two runs can be compared', async ({
  visit,
}) => {
  const page = await visit('admin')
  const mark = newMark()
  const first = await runPrompt(page, { prompt: `${mark} [[say: The sky is red.]]` })
  await expectEnd(page, 'Completed')
  await page.getByRole('textbox', { name: 'Prompt' }).fill(`${mark} [[say: The sky is blue.]]`)
  await pressRun(page)
  await page.waitForURL((url) => url.search !== `?run=${first}`)
  const second = await runIdOf(page)
  await expectEnd(page, 'Completed')
  await go(page, `/runs/${second}/compare`)
  await page.getByRole('searchbox', { name: 'Search runs' }).fill(mark)
  const found = page.getByRole('list', { name: 'Runs' }).getByRole('link')
  await expect(found).toHaveCount(1)
  await expectEveryLook(page, 'search of the run to compare with')
  await found.click()
  const before = page.getByRole('region', { name: 'Answer before' })
  await expect(before.locator('mark')).toContainText('red')
  const after = page.getByRole('region', { name: 'Answer after' })
  await expect(after.locator('mark')).toContainText('blue')
  await page.getByRole('link', { name: 'Compare with another run' }).click()
  await page.getByLabel('Id of the run').fill(first)
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await expect(before.locator('mark')).toContainText('red')
})

test('members see only what the configuration lets them change', async ({ visit }) => {
  const page = await visit('member')
  const mark = newMark()
  await runPrompt(page, { prompt: `${mark} [[say: Hello.]]` })
  await expectEnd(page, 'Completed')
  await expect(changes(page)).toHaveCount(0)
  await run(page).getByRole('button', { name: 'Change and run again' }).click()
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toBeFocused()
  await expect(page.getByText('again, with a change')).toBeVisible()
  await expect(changes(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Start a new one' }).click()
  await expect(page.getByText('again, with a change')).toHaveCount(0)
})

test('members change what the configuration lets them change, also to no system prompt, and nothing else', async ({
  visit,
}) => {
  const page = await visit('member')
  const mark = newMark()
  await go(page, '/playground?configuration=adjustable')
  await whenInteractive(page.getByRole('button', { name: 'Run', exact: true }))
  await changes(page).getByText('Changes for this run').click()
  const fields = changes(page).getByRole('textbox').or(changes(page).getByRole('combobox'))
  await expect(fields).toHaveCount(2)
  await expect(changes(page).getByLabel('System prompt', { exact: true })).toHaveAttribute(
    'placeholder',
    'Be brief.',
  )
  await changes(page).getByLabel('Temperature').fill('0.4')
  await changes(page).getByLabel('Without a system prompt').check()
  await expect(changes(page).getByLabel('System prompt', { exact: true })).toBeDisabled()
  await expectEveryLook(page, 'the Playground, without a system prompt')
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill(`${mark} [[say: Hello.]]`)
  await pressRun(page)
  const id = await runIdOf(page)
  await expectEnd(page, 'Completed')
  const [sent] = await modelRequests(mark)
  expect(sent?.body.temperature).toBe(0.4)
  expect(sent?.system).not.toContain('Be brief.')

  await go(page, `/runs/${id}`)
  await expect(page.getByText('Without a system prompt, Temperature')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Save to the configuration' })).toHaveCount(0)
  await run(page).getByRole('link', { name: 'Change and run again' }).click()
  await expect(changes(page).getByLabel('Without a system prompt')).toBeChecked()
  await changes(page).getByLabel('Without a system prompt').uncheck()
  await expect(changes(page)).toContainText('Changes for this run: temperature')
  await pressRun(page)
  await page.waitForURL((url) => url.searchParams.get('run') !== null)
  await expectEnd(page, 'Completed')
  await expect.poll(async () => (await modelRequests(mark)).length).toBe(2)
  expect((await modelRequests(mark))[1]?.system).toContain('Be brief.')
})
