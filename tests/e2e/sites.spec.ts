import { sends, startWebServer } from '@/tests/support/web-server'
import { go } from './support/go'
import { newMark } from './support/model-requests'
import { expectAccessible } from './support/page-checks'
import { calls, expectEnd, run, runPrompt } from './support/playground'
import { expect, test } from './support/test'

test('an admin registers a site, checks it, and a run lists and reads its pages', async ({
  page,
}) => {
  const html = (text: string) => sends(text, { 'content-type': 'text/html' })
  const server = await startWebServer({
    '/docs/': html('<title>Manual</title><p>Begin here. <a href="osprey">Osprey</a>'),
    '/docs/osprey': html('<title>Osprey</title><p>It eats fish.'),
  })
  const name = `docs-${test.info().retry}`
  const address = `${server.origin}/docs/`
  await go(page, '/resources/sites')
  await expectAccessible(page, 'sites')
  await page.getByRole('button', { name: 'Add website' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Address of the start page').fill(address)
  await form.getByRole('button', { name: 'Add website' }).click()
  await expect(form.getByText('If that is intended')).toBeVisible()
  await form.getByLabel('Allow this address in a private network').check()
  await form.getByRole('button', { name: 'Add website' }).click()
  await expect(page.getByText('Added the website', { exact: true })).toBeVisible()

  await page.getByRole('link', { name, exact: true }).click()
  await expect(page.getByText(/^Press Check/)).toBeVisible()
  await page.getByRole('button', { name: 'Check' }).click()
  const last = page.getByRole('region', { name: 'Last check' })
  await expect(last.getByText('links that begin at its start page')).toBeVisible()
  await expectAccessible(page, 'a site that was checked')

  const request = [
    `[[call get_page_tree ${JSON.stringify({ site: name })}]]`,
    `[[call get_page_content ${JSON.stringify({ url: `${address}osprey` })}]]`,
    `[[call probe_url ${JSON.stringify({ url: `${address}missing` })}]]`,
  ]
  const prompt = `${newMark()} ${request.join(' ')} [[then]] [[say: {{results}}]]`
  await runPrompt(page, { prompt, tools: ['get_page_tree', 'get_page_content', 'probe_url'] })
  await expectEnd(page, 'Completed')
  await expect(calls(page)).toHaveCount(3)
  for (const said of ['"title":"Osprey"', 'It eats fish.', '"status":404'])
    await expect(run(page)).toContainText(said)
  await server.close()
})
