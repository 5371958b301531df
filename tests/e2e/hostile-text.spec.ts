import type { Locator, Page } from '@playwright/test'
import { newMark } from './support/model-requests'
import { calls, expectEnd, run, runPrompt } from './support/playground'
import { hostileName } from './support/site'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

const bidi = '\u202Eevil\u202C'
const ansi = '\u001b[31mred\u001b[0m'

const answer = [
  '# Answer <script>window.__pwned = "answer"</script>',
  '',
  '<img src=x onerror="window.__pwned = \'answer image\'"> <b onmouseover="window.__pwned=1">bold</b>',
  '',
  '![pixel](http://127.0.0.1:9/pixel.png?leak=1) [click](javascript:window.__pwned="link") [data](data:text/html,<script>1</script>)',
  '',
  `An honest [link](https://example.org/path), ${bidi} and ${ansi}.`,
  '',
  '<iframe srcdoc="<script>parent.__pwned=1</script>"></iframe><style>body{display:none}</style>',
].join('\n')

const argument = JSON.stringify({
  ms: 0,
  label: `<img src=x onerror="window.__pwned='argument'"> ${bidi}`,
})

const prompt = [
  '[[call <svg/onload=window.__pwned="name"> {"<script>window.__pwned=1</script>":"x"}]]',
  `[[call slow_read ${argument}]]`,
  '[[call hostile_text {}]]',
  '[[call constructor {}]]',
  '[[reason: Thinking <script>window.__pwned = "reasoning"</script>]]',
  `[[then]] [[say: ${answer}]]`,
].join('\n')

/** Checks that nothing in this element is more than text. */
async function expectInert(region: Locator): Promise<void> {
  await expect(region.locator('img, iframe, script, style, object, embed, meta')).toHaveCount(0)
  await expect(region.locator('a[href^="javascript:"], a[href^="data:"]')).toHaveCount(0)
  await expect(region.locator('svg:not([aria-hidden])')).toHaveCount(0)
  expect(
    await region.evaluate(
      (node) =>
        [...node.querySelectorAll('*')].filter((each) =>
          [...each.attributes].some((attribute) => attribute.name.startsWith('on')),
        ).length,
    ),
  ).toBe(0)
}

async function openEverything(page: Page): Promise<void> {
  for (const call of await calls(page).all()) {
    await call.getByRole('button').first().click()
    await call.locator('summary').evaluateAll((all) => {
      for (const summary of all) if (summary instanceof HTMLElement) summary.click()
    })
    const more = call.getByRole('button', { name: /^Show all/ })
    while ((await more.count()) > 0) await more.first().click()
  }
  await run(page)
    .locator('summary')
    .evaluateAll((all) => {
      for (const summary of all) summary.closest('details')?.setAttribute('open', '')
    })
}

test('hostile names, arguments, results, reasoning and answers stay inert text', async ({
  page,
}) => {
  const runId = await runPrompt(page, { prompt: `${newMark()} ${prompt}` })
  await expectEnd(page, 'Completed')
  await openEverything(page)
  await expectInert(run(page))

  const region = run(page)
  await expect(region).toContainText('window.__pwned = "answer"')
  await expect(region).toContainText("window.__pwned = 'onerror'")
  await expect(region).toContainText('[image: pixel (http://127.0.0.1:9/pixel.png?leak=1)]')
  await expect(region.getByText('U+202E').first()).toBeVisible()
  await expect(region).toContainText('no tool of this name is available')
  const link = region.getByRole('link', { name: /^link/ })
  await expect(link).toHaveAttribute('href', 'https://example.org/path')
  await expect(link).toHaveAttribute('rel', /noopener noreferrer/)

  const hostile = calls(page).filter({ hasText: 'hostile_text' })
  await hostile.getByRole('button', { name: 'Artifacts (1)' }).click()
  await expect(hostile.getByRole('table')).toContainText('window.__pwned = "script"')
  await expectInert(hostile)

  await page.goto(`/runs/${runId}`)
  await expectEnd(page, 'Completed')
  await openEverything(page)
  await expectInert(page.getByRole('main'))
})

test('hostile names of configurations and people are text wherever they stand', async ({
  page,
}) => {
  const mark = newMark()
  const runId = await runPrompt(page, {
    configuration: hostileName,
    prompt: `${mark} <img src=x onerror="window.__pwned='prompt'"> ${bidi} [[say: Done.]]`,
  })
  await expectEnd(page, 'Completed')
  await expectInert(page.getByRole('main'))
  await page.goto(`/runs?search=${mark}`)
  await expect(page.getByRole('table')).toContainText(hostileName)
  await expect(page.getByRole('table')).toContainText('U+202E')
  await expectInert(page.getByRole('main'))
  await page.goto(`/runs/${runId}`)
  await expectInert(page.getByRole('main'))
  await page.goto('/connections?search=Local+openai')
  await page.getByRole('main').getByRole('link', { name: 'Local openai', exact: true }).click()
  const off = page.getByRole('button', { name: 'Switch off…' })
  await whenInteractive(off)
  await expectInert(page.getByRole('main'))
  await off.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(/These configurations can no longer run: .*U\+202E/)
  await expectInert(dialog)
})

test('the policy stops what would slip through', async ({ browser }) => {
  // Unwatched: the browser complains, as it should.
  const page = await (
    await browser.newContext({ storageState: { cookies: [], origins: [] } })
  ).newPage()
  await page.goto('/sign-in')
  const refused = await page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => {
          resolve(event.effectiveDirective)
        })
        const image = document.createElement('img')
        image.setAttribute('onerror', 'window.__pwned = "policy"')
        image.src = 'data:,'
        document.body.append(image)
      }),
  )
  expect(refused).toBe('script-src-attr')
  await page.context().close()
})
