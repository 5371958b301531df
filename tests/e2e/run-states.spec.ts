import type { Page } from 'playwright/test'
import { go } from './support/go'
import { modelRequests, newMark } from './support/model-requests'
import { expectEveryLook, expectInert, expectNoSidewaysScroll } from './support/page-checks'
import { calls, expectEnd, fillPlayground, pressRun, run, runIdOf } from './support/playground'
import { expect, test } from './support/test'

const bidi = '\u202Eevil\u202C'
const ansi = '\u001b[31mred\u001b[0m'
// Wider than any window; what is longer is only slower to lay out.
const word = 'W'.repeat(250)

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
  '',
  `${word}\n\n# ${word}\n\n- one\n- \`${word}\`\n\n> ${word}`,
  '',
  `| ${word} | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`\n${word}\n\`\`\``,
].join('\n')

const argument = JSON.stringify({
  ms: 0,
  label: `<img src=x onerror="window.__pwned='argument'"> ${bidi}`,
})

const prompt = [
  `${word} <img src=x onerror="window.__pwned='prompt'">`,
  '[[call <svg/onload=window.__pwned="name"> {"<script>window.__pwned=1</script>":"x"}]]',
  `[[call ${word.slice(0, 60)} {"${word}":"${word}"}]]`,
  `[[call slow_read ${argument}]]`,
  '[[call hostile_text {}]] [[call wide_result {}]]',
  '[[call constructor {}]] [[call no_such_tool {}]] [[call slow_read {"ms":-1}]]',
  '[[call big_result {"kilobytes":80,"shape":"array"}]]',
  `[[reason: Thinking <script>window.__pwned = "reasoning"</script> ${word}]]`,
  '[[then]] [[call slow_read {"ms":20000,"label":"look at me"}]]',
  `[[then]] [[say: ${answer}]]`,
].join('\n')

/** One red dot. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

async function attachFiles(page: Page): Promise<void> {
  const files = page.getByRole('list', { name: 'Attached files' })
  await page.getByLabel('Files to attach').setInputFiles([
    { name: 'dot.png', mimeType: 'image/png', buffer: png },
    { name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(200_000, 'word ') },
  ])
  await expect(files.getByText('195 KB')).toBeVisible()
  await expect(files.locator('img')).toHaveJSProperty('naturalWidth', 1)
}

async function openCalls(page: Page): Promise<void> {
  for (const call of await calls(page).all()) await call.getByRole('button').first().click()
}

/** Opens what else can be opened: details, then the long texts in them. */
async function openEverything(page: Page): Promise<void> {
  await run(page)
    .locator('details')
    .evaluateAll((all) => {
      for (const details of all) details.setAttribute('open', '')
    })
  const more = run(page).getByRole('button', { name: /^Show all/ })
  while ((await more.count()) > 0) await more.first().click()
}

async function openArtifacts(page: Page): Promise<void> {
  for (const view of await run(page)
    .getByRole('button', { name: /^Artifacts \(/ })
    .all()) {
    await view.click()
  }
}

async function expectNarrow(page: Page, what: string): Promise<void> {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoSidewaysScroll(page, `${what}, ${width} wide`)
  }
}

test('a run with files, hostile texts and long words, in every state: nothing serious, nothing sideways, inert', async ({
  page,
}) => {
  // Four states, each in every look.
  test.slow()
  const mark = newMark()
  const region = run(page)

  await test.step('an image and a large text are attached', async () => {
    await fillPlayground(page, { prompt: `${mark} ${prompt}` })
    await attachFiles(page)
    await expectEveryLook(page, 'Playground with files')
  })

  await pressRun(page)
  const runId = await runIdOf(page)

  await test.step('while it runs', async () => {
    // Its reads begin together.
    const running = calls(page).getByText('Running', { exact: true }).first()
    await expect(running).toBeVisible()
    await expectEveryLook(page, 'Playground, running')
    await expect(running).toBeVisible()
  })

  await test.step('at its end, the files went to the model and are shown', async () => {
    await expectEnd(page, 'Completed')
    const kept = region.getByRole('list', { name: 'Attached files' })
    await expect(kept.getByRole('link')).toHaveText([/dot\.png/, /large\.txt/])
    await expect(kept.locator('img')).toHaveJSProperty('naturalWidth', 1)
    const [sent] = await modelRequests(mark)
    expect(JSON.stringify(sent?.body)).toContain(png.toString('base64'))
    await openCalls(page)
    await expectEveryLook(page, 'Playground, finished')
  })

  await test.step('hostile names, arguments, results, reasoning and answers are inert text', async () => {
    await openEverything(page)
    await expectInert(region, 'Playground')
    await expect(region).toContainText('window.__pwned = "answer"')
    await expect(region).toContainText("window.__pwned = 'onerror'")
    await expect(region).toContainText('[image: pixel (http://127.0.0.1:9/pixel.png?leak=1)]')
    await expect(region.getByText('U+202E').first()).toBeVisible()
    await expect(region).toContainText('no tool of this name is available')
    const link = region.getByRole('link', { name: /^link/ })
    await expect(link).toHaveAttribute('href', 'https://example.org/path')
    await expect(link).toHaveAttribute('rel', /noopener noreferrer/)
    await openArtifacts(page)
    const hostile = calls(page).filter({ hasText: 'hostile_text' })
    await expect(hostile.getByRole('table')).toContainText('window.__pwned = "script"')
    await expectInert(region, 'Playground with artifacts')
    await expectNarrow(page, 'Playground with everything open')
  })

  await test.step('in the list of runs', async () => {
    await go(page, `/runs?search=${mark}`)
    await expect(page.getByRole('status').filter({ hasText: /^1 run$/ })).toBeVisible()
    await expectEveryLook(page, 'runs')
    await expectInert(page.getByRole('main'), 'runs')
  })

  await test.step('on its own page', async () => {
    await go(page, `/runs/${runId}`)
    await expectEnd(page, 'Completed')
    await openCalls(page)
    await expectEveryLook(page, 'run')
    await openEverything(page)
    await openArtifacts(page)
    await expectInert(page.getByRole('main'), 'run')
    await expectNarrow(page, 'run with everything open')
  })
})
