import type { Page } from 'playwright/test'
import { go } from './support/go'
import { modelRequests, newMark } from './support/model-requests'
import { expectAccessible, expectEveryLook, expectNoSidewaysScroll } from './support/page-checks'
import { expectEnd, run, runPrompt } from './support/playground'
import { expect, test } from './support/test'
import { watchShifts } from './support/watch-shifts'
import { whenInteractive } from './support/when-interactive'

const first = 'Local openai-compatible'
const second = 'Local anthropic'

/** Opens the Playground with one configuration picked and this prompt typed. */
async function openPlayground(page: Page, prompt: string): Promise<void> {
  await go(page, `/playground?configuration=local-openai-compatible`)
  await whenInteractive(page.getByRole('button', { name: 'Run', exact: true }))
  await page.getByRole('textbox', { name: 'Prompt' }).fill(prompt)
}

/** Compares it with another one in three clicks. Returns the id of the panel. */
async function compareTwo(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page.getByRole('option', { name: new RegExp(`^${second}`) }).click()
  await page.getByRole('button', { name: 'Run 2 members' }).click()
  await page.waitForURL(/\/runs\/panels\//)
  return page.url().split('/').at(-1) ?? ''
}

const member = (page: Page, name: string) => page.getByRole('article', { name })
const head = (page: Page) => page.getByRole('region', { name: 'About this panel' })

test('two configurations are compared in three clicks, stream side by side, and one answer is chosen with a note', async ({
  page,
}) => {
  const mark = newMark()
  const words = 'many words to read '.repeat(25)
  await openPlayground(page, `${mark} [[say slowly 40ms: ${words}]]`)
  const panelId = await compareTwo(page)
  const [left, right] = [member(page, first), member(page, second)]
  const columns = [left, right]
  for (const column of columns) await expect(column.getByText('Running')).toBeVisible()
  const shifts = await watchShifts(page)
  for (const column of columns) await expect(column.getByText(/^many words/)).toBeVisible()
  await expect(head(page).getByText('2 members running')).toBeVisible()
  for (const column of columns) await expect(column.getByText('Completed')).toBeVisible()
  await expect(head(page).getByText('Completed')).toBeVisible()
  expect(await shifts()).toBeLessThanOrEqual(0.02)
  const widths = await Promise.all(columns.map(async (each) => (await each.boundingBox())?.width))
  expect(widths[0]).toBe(widths[1])

  await right.getByRole('button', { name: /^Choose this answer/ }).click()
  await expect(page.getByText(`Chosen answer: ${second}`)).toBeVisible()
  await right.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('dialog').getByLabel('Note').fill('Shorter.')
  await page.getByRole('dialog').getByRole('button', { name: 'Save note' }).click()
  await expect(right.getByText('Shorter.', { exact: true })).toBeVisible()
  await left.getByRole('button', { name: /^Choose this answer/ }).click()
  await expect(page.getByText(`Chosen answer: ${first}`)).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`Chosen answer: ${second}`)).toBeVisible()
  await expect(right.getByText('Shorter.', { exact: true })).toBeVisible()
  await expectEveryLook(page, 'a panel')

  await left.getByRole('link', { name: /^Open run/ }).click()
  await page.getByRole('link', { name: 'Member of a panel' }).click()
  await expect(page).toHaveURL(new RegExp(panelId))

  await go(page, '/runs/panels')
  await page.getByLabel('Search panels').fill(mark)
  const row = page.getByRole('row').filter({ hasText: mark })
  await expect(row).toContainText(`${first}, ${second}`)
  await expect(row.getByText('Completed')).toBeVisible()
  await expectAccessible(page, 'panels')
  const exported = await page.request.get(`/api/panels/${panelId}/export`)
  expect(await exported.json()).toMatchObject({ panelId, choice: { note: 'Shorter.' } })
})

test('Stop ends all members; the draft of a comparison survives a reload, and what is refused stands at its field', async ({
  page,
}) => {
  await openPlayground(page, `${newMark()} [[wait 30000ms]] [[say: Late.]]`)
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  const options = page.getByRole('option')
  await expect(options.first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(options).toHaveCount(0)
  const tooFew = page.getByRole('button', { name: 'Run members', exact: true })
  await expect(tooFew).toBeDisabled()
  await expect(tooFew).toHaveAccessibleDescription('Pick at least 2 configurations to compare.')
  await expectEveryLook(page, 'playground, comparing too few')
  await page.getByRole('button', { name: 'Add configuration' }).click()
  await page.getByRole('option', { name: new RegExp(`^${second}`) }).click()
  await page.getByLabel('Cost cap of all members').fill('much')
  await page.getByLabel('Answer schema').fill('[]')
  await page.getByRole('button', { name: 'Run 2 members' }).click()
  await expect(page.getByText('Enter US dollars such as 0.50')).toBeVisible()
  await expect(page.getByText('Write a JSON object.')).toBeVisible()
  await page.reload()
  const picked = page.getByRole('region', { name: 'Configurations to compare' })
  await expect(picked.getByRole('listitem')).toHaveText([
    new RegExp(`^${first}`),
    new RegExp(`^${second}`),
  ])
  await expectEveryLook(page, 'playground, comparing')
  await page.getByLabel('Cost cap of all members').fill('0.5')
  await expect(page.getByLabel('Answer schema')).toHaveValue('[]')
  await page.getByLabel('Answer schema').fill('')
  await page.getByRole('button', { name: 'Run 2 members' }).click()
  await page.waitForURL(/\/runs\/panels\//)
  await expect(head(page).getByText('$0.00 of $0.50')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByText('Stopped 2 members', { exact: true })).toBeVisible()
  for (const name of [first, second])
    await expect(member(page, name).getByText('Stopped', { exact: true })).toBeVisible()
})

test('on a phone, each member is one view of a strip that is swiped; a member of the site sees no panel of others', async ({
  page,
  visit,
}) => {
  const mark = newMark()
  await openPlayground(page, `${mark} [[say: Hello there.]]`)
  const panelId = await compareTwo(page)
  await expect(head(page).getByText('Completed')).toBeVisible()
  const phone = await visit('admin', { viewport: { width: 390, height: 844 }, hasTouch: true })
  await phone.goto(`/runs/panels/${panelId}`)
  await expect(phone.getByText('1 of 2', { exact: true })).toBeVisible()
  await expectNoSidewaysScroll(phone, 'a panel')
  await expect(member(phone, second)).not.toBeInViewport({ ratio: 0.5 })
  const strip = phone.getByRole('region', { name: 'Members side by side' })
  await strip.focus()
  await expect(strip).toBeFocused()
  await strip.evaluate((shown) => shown.scrollBy({ left: shown.clientWidth }))
  await expect(phone.getByText('2 of 2', { exact: true })).toBeVisible()
  await expect(member(phone, second)).toBeInViewport()

  const stranger = await visit('member')
  const answer = await stranger.goto(`/runs/panels/${panelId}`)
  expect(answer?.status()).toBe(404)
  await go(stranger, `/runs/panels?search=${mark}`)
  await expect(stranger.getByText('No panel matches this filter')).toBeVisible()
})

test('a member compares configurations that they may use, sees no others, and gets answers of one schema', async ({
  visit,
}) => {
  const page = await visit('member')
  const mark = newMark()
  await openPlayground(page, `${mark} [[say: {"ready": true}]]`)
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  const others = page.getByRole('option')
  await expect(others).toHaveText([/^Adjustable/])
  await others.click()
  const schema = { type: 'object', properties: { ready: { type: 'boolean' } } }
  await page.getByLabel('Answer schema').fill(JSON.stringify(schema))
  await page.getByRole('button', { name: 'Run 2 members' }).click()
  await page.waitForURL(/\/runs\/panels\//)
  for (const name of [first, 'Adjustable']) {
    await expect(member(page, name).getByText('Completed')).toBeVisible()
    await expect(member(page, name).getByText('"ready": true')).toBeVisible()
  }
  const sent = await modelRequests(mark)
  expect(sent).toHaveLength(2)
  for (const { system } of sent) expect(system).toContain(JSON.stringify(schema))

  await go(page, `/runs/panels?search=${mark}`)
  await page.getByRole('link', { name: new RegExp(mark) }).click()
  await expect(head(page).getByText('Completed')).toBeVisible()
  const left = member(page, first)
  await left.getByRole('button', { name: /^Choose this answer/ }).click()
  await expect(page.getByText(`Chosen answer: ${first}`)).toBeVisible()
})

test('a proposer, a critic and a synthesizer work one after the other, and their envelopes are read as prose', async ({
  page,
}) => {
  await go(page, '/playground?configuration=demo')
  await whenInteractive(page.getByRole('button', { name: 'Run', exact: true }))
  await page.getByRole('textbox', { name: 'Prompt' }).fill(`Say what you can do. ${newMark()}`)
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'What the members do' }).click()
  await page.getByRole('option', { name: /^Coordinate/ }).click()
  for (const count of [2, 3]) {
    await page.getByRole('button', { name: 'Add configuration' }).click()
    await page.getByRole('option', { name: /^Demo/ }).first().click()
    const picked = page.getByRole('region', { name: 'Configurations to compare' })
    await expect(picked.getByRole('listitem')).toHaveCount(count)
  }
  await page.getByText('What roles are told').click()
  await page.getByRole('textbox', { name: 'Critic' }).fill('Object to what is vague.')
  await expectEveryLook(page, 'playground, coordinating')
  await page.getByRole('button', { name: 'Run 3 members' }).click()
  await page.waitForURL(/\/runs\/panels\//)
  for (const role of ['Proposer', 'Critic', 'Synthesizer'])
    await expect(
      page.getByRole('article', { name: new RegExp(`^${role}: `) }).getByText('Completed'),
    ).toBeVisible()
  await expect(head(page).getByText('Completed')).toBeVisible()
  const critic = page.getByRole('article', { name: /^Critic: / })
  await expect(critic.getByText('Verdict', { exact: true })).toBeVisible()
  await expect(critic.getByText('accept', { exact: true })).toBeVisible()
  await expectEveryLook(page, 'a coordination')
})

test('the address has the mode of the Playground, Compare opens Compare after Coordinate, and leaving it shows the run again', async ({
  visit,
}) => {
  // A browser of its own: it remembers what the Playground was used for.
  const page = await visit('admin', {})
  const runId = await runPrompt(page, {
    configuration: second,
    prompt: `${newMark()} [[say: Here I am.]]`,
  })
  await expectEnd(page, 'Completed')
  const mode = page.getByRole('combobox', { name: 'What the members do' })
  const compare = async () => {
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await expect(page.getByRole('option').first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(/\/playground\?compare=on$/)
    await expect(mode).toHaveText('Compare')
  }
  const coordinate = async () => {
    await mode.click()
    await page.getByRole('option', { name: /^Coordinate/ }).click()
    await expect(page).toHaveURL(/\/playground\?compare=coordinate$/)
  }
  const leave = () => page.getByRole('button', { name: 'One configuration' }).click()
  await compare()
  await coordinate()
  await leave()
  await expect(page).toHaveURL(new RegExp(`/playground\\?run=${runId}$`))
  await expect(run(page)).toContainText('Here I am.')
  await go(page, '/runs')
  await page.goBack()
  await expect(run(page)).toContainText('Here I am.')
  await compare()
  await coordinate()
  await go(page, '/runs')
  await page.goBack()
  await expect(mode).toHaveText('Coordinate')
  await leave()
  await compare()

  await page.goto('/playground?compare=coordinate')
  await expect(mode).toHaveText('Coordinate')
  await page.goto('/playground')
  const used = page.getByRole('button', { name: `Configuration: ${second}`, exact: true })
  await expect(used).toBeVisible()
})
