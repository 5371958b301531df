import { newMark } from './support/model-requests'
import { calls, expectEnd, fillPlayground, pressRun } from './support/playground'
import { stateFile } from './support/site'
import { expect, test } from './support/test'

const html = [
  '<!doctype html><style>p { color: rgb(1, 2, 3) }</style><p>Drawn as a page</p>',
  '<script>parent.__pwned = 1; document.body.textContent = "script"</script>',
  '<img src="x" onerror="parent.__pwned = 2"><img src="/icon.svg" alt="icon">',
  '<form action="/api/v1/runs" method="post"><button>Send</button></form>',
  '<a href="/settings" target="_top">Leave</a>',
].join('')

test('HTML of a result is drawn when asked for, and does nothing', async ({ browser, baseURL }) => {
  // A page that is not watched: what the browser refuses in the frame is in its console.
  const context = await browser.newContext({
    storageState: stateFile('admin'),
    ...(baseURL && { baseURL }),
  })
  const page = await context.newPage()
  const prompt = `${newMark()} [[call read_note ${JSON.stringify({ text: html })}]] [[then]] [[say: Done.]]`
  await fillPlayground(page, { prompt, tools: ['read_note'] })
  await pressRun(page)
  await expectEnd(page, 'Completed')
  const card = calls(page).first()
  await card.getByRole('button').first().click()
  await expect(card.locator('iframe')).toHaveCount(0)

  const answered: string[] = []
  page.on('response', (response) => answered.push(new URL(response.url()).pathname))
  await card.getByRole('button', { name: 'As a page', exact: true }).click()
  const frame = card.frameLocator('iframe[title="The result as a page"]')
  await expect(frame.getByText('Drawn as a page')).toHaveCSS('color', 'rgb(1, 2, 3)')
  await frame.getByRole('button', { name: 'Send' }).click()
  await frame.getByRole('link', { name: 'Leave' }).click()
  await expect(frame.getByText('Drawn as a page')).toBeVisible()
  await expect(page).toHaveURL(/\/playground/)
  expect(answered.filter((address) => /icon|runs$|settings|\/x$/.test(address))).toEqual([])
  expect(await page.evaluate(() => Reflect.get(window, '__pwned') ?? null)).toBeNull()
  await context.close()
})
