import { expectAccessible } from './support/expect-accessible'
import { expectNoSidewaysScroll } from './support/expect-no-sideways-scroll'
import { modelRequests, newMark } from './support/model-requests'
import { expectEnd, fillPlayground, pressRun, run } from './support/playground'
import { expect, test } from './support/test'

/** One red dot. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

test('an image and a large text go with a prompt and are shown in the trace, on a screen and a phone', async ({
  page,
}) => {
  const mark = newMark()
  await fillPlayground(page, { prompt: `${mark} [[say: A red dot.]]`, tools: [] })
  const files = page.getByRole('list', { name: 'Attached files' })
  await page.getByLabel('Files to attach').setInputFiles([
    { name: 'dot.png', mimeType: 'image/png', buffer: png },
    { name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(200_000, 'word ') },
  ])
  await expect(files.getByText('195 KB')).toBeVisible()
  await expect(files.locator('img')).toHaveJSProperty('naturalWidth', 1)
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await expectAccessible(page, `the Playground with files at ${width} px`)
    await expectNoSidewaysScroll(page)
  }
  await pressRun(page)
  await expectEnd(page, 'Completed')
  const kept = run(page).getByRole('list', { name: 'Attached files' })
  await expect(kept.getByRole('link')).toHaveText([/dot\.png/, /large\.txt/])
  await expect(kept.locator('img')).toHaveJSProperty('naturalWidth', 1)
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  const [sent] = await modelRequests(mark)
  expect(JSON.stringify(sent?.body)).toContain(png.toString('base64'))
})
