import type { Locator } from 'playwright/test'
import { newMark, openGate } from './support/model-requests'
import { expectAccessible, expectEveryLook } from './support/page-checks'
import { calls, expectEnd, run, runPrompt } from './support/playground'
import { readSite } from './support/site'
import { expect, test } from './support/test'

const tool = '/api/v1/tools/spawn_run'

test('a run that a call starts is approved as it will be, shown live, and leads back', async ({
  page,
  playwright,
  baseURL,
}) => {
  const client = await playwright.request.newContext({
    baseURL,
    storageState: { cookies: [], origins: [] },
    extraHTTPHeaders: { authorization: `Bearer ${readSite().adminKey}` },
  })
  const on = await client.put(tool, { data: { enabled: true, reason: 'a test' } })
  expect(on.ok()).toBe(true)
  const args = JSON.stringify({ configuration: 'demo', prompt: 'What is 17 times 23?' })
  const prompt = `[[call spawn_run ${args}]] [[then]] [[say: {{results}}]]`
  await runPrompt(page, { prompt, tools: ['spawn_run', 'calculate'] })

  const call = calls(page).first()
  await expect(call).toContainText('Waiting for approval')
  await expect(call).toContainText('Tools: calculate')
  await expect(call).toContainText('What is 17 times 23?')
  await expectAccessible(page, 'call that would start a run')
  await call.getByRole('button', { name: 'Approve spawn_run' }).click()
  await expectEnd(page, 'Completed')

  const started = (place: Locator) =>
    place
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'The run that it started' }) })
  const child = started(call)
  await expect(child).toContainText('Completed')
  await expect(child).toContainText('1 call')
  await expect(call).toContainText('391')
  await expect(run(page)).toContainText('"configuration":"demo"')
  await expectEveryLook(page, 'call that started a run')
  await child.getByRole('link', { name: 'Open run' }).click()
  await page.getByRole('link', { name: 'A call of another run' }).click()
  await expect(page.getByRole('button', { name: /^spawn_run/, expanded: true })).toBeVisible()

  await test.step('three work at once, each under its own call', async () => {
    const numbers = [1, 2, 3]
    const gate = newMark()
    const request = numbers.map((n) => {
      const words = `[[until ${gate}]] [[say: ${`number ${n} says `.repeat(8)}]]`
      const wish = JSON.stringify({ configuration: 'local-openai-compatible', prompt: words })
      return `[[call spawn_run ${wish}]]`
    })
    const prompt = `${request.join(' ')} [[then]] [[say: that is all]]`
    await runPrompt(page, { prompt, tools: ['spawn_run', 'calculate'] })
    const approve = page.getByRole('button', { name: 'Approve spawn_run' })
    await expect(approve).toHaveCount(3)
    for (const left of [2, 1, 0]) {
      await approve.first().click()
      await expect(approve).toHaveCount(left)
    }
    const cards = numbers.map((n) => calls(page).nth(n - 1))
    for (const [n, card] of cards.entries()) {
      await expect(started(card).getByText('Running', { exact: true })).toHaveCount(1)
      await expect(started(card)).toContainText(`number ${n + 1} says`)
    }
    await expectAccessible(page, 'three runs that calls started')
    await openGate(gate)
    await expectEnd(page, 'Completed')
    for (const [n, card] of cards.entries())
      await expect(card).toContainText(`"answer": "number ${n + 1} says`)
    await expectEveryLook(page, 'three calls that started runs')
  })
  expect((await client.delete(tool)).ok()).toBe(true)
  await client.dispose()
})
