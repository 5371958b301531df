import type { Page } from 'playwright/test'
import { countClicks } from './support/count-clicks'
import { go } from './support/go'
import { newMark } from './support/model-requests'
import { expectEveryLook } from './support/page-checks'
import { accounts } from './support/site'
import { expect, test } from './support/test'
import { watchShifts } from './support/watch-shifts'
import { whenInteractive } from './support/when-interactive'

const roles = ['Proposer', 'Critic 1', 'Critic 2', 'Synthesizer']
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const task = (page: Page) => page.getByRole('form', { name: 'Task Review a plan' })

/** Types a plan whose roles answer with their envelopes. */
async function typePlan(page: Page, mark: string): Promise<void> {
  await whenInteractive(task(page).getByRole('button', { name: 'Run', exact: true }))
  await task(page)
    .getByRole('textbox', { name: 'Plan', exact: true })
    .fill(`${mark} Move the shop. [[say: {{envelope}}]]`)
}

/** Waits until each of the four roles has answered in its form. */
async function expectReview(page: Page): Promise<void> {
  await page.waitForURL(/\/runs\/panels\//)
  const members = page.getByRole('article')
  await expect(members).toHaveCount(roles.length)
  for (const [place, role] of roles.entries()) {
    await expect(members.nth(place)).toHaveAccessibleName(new RegExp(`^${role}: `))
    await expect(members.nth(place).getByText('Completed')).toBeVisible()
  }
  await expect(members.first().getByText('Go ahead.')).toBeVisible()
  await expect(members.last().getByText('Go ahead on Monday.')).toBeVisible()
}

/** Deletes the task, so that it is ready to be added. */
async function deleteReview(page: Page): Promise<void> {
  await go(page, '/tasks?search=review-plan')
  const link = page.getByRole('table').getByRole('link', { name: 'Review a plan', exact: true })
  await expect(link.or(button(page, 'Add Review a plan'))).toBeVisible()
  if ((await link.count()) === 0) return
  await link.click()
  await whenInteractive(button(page, 'More'))
  await button(page, 'More').click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await button(page, 'Delete Review a plan').click()
  await page.waitForURL(/\/tasks$/)
}

test('a task that comes with Toolgate is added and run in three clicks, and all its roles answer', async ({
  page,
  visit,
}) => {
  await deleteReview(page)
  await go(page, '/tasks')
  await whenInteractive(button(page, 'Add Review a plan'))
  await expectEveryLook(page, 'tasks, some ready to add', 'content')
  const clicks = await countClicks(page)
  await button(page, 'Add Review a plan').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Review a plan' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Members' }).getByRole('listitem')).toHaveCount(4)
  await page.getByRole('main').getByRole('link', { name: 'Run', exact: true }).click()
  await typePlan(page, newMark())
  const shifts = await watchShifts(page)
  await task(page).getByRole('button', { name: 'Run', exact: true }).click()
  await expectReview(page)
  expect(await clicks()).toBeLessThanOrEqual(3)
  expect(await shifts()).toBeLessThanOrEqual(0.02)

  await test.step('a member who may use a configuration runs it, too', async () => {
    const member = await visit('member')
    await go(member, '/tasks')
    await member
      .getByRole('row', { name: /^Review a plan/ })
      .getByRole('link', { name: /^Run/ })
      .click()
    await typePlan(member, newMark())
    await expectEveryLook(member, 'a panel of a task in the Playground')
    await member.keyboard.press('Control+Enter')
    await expectReview(member)
    await go(member, '/tasks')
    const row = member.getByRole('row', { name: /^Review a plan/ })
    await row.getByRole('link', { name: 'Review a plan', exact: true }).click()
    await expect(member.getByText('Coordination of a proposer, 2 critics')).toBeVisible()
    await expectEveryLook(member, 'a panel of a task, for a member', 'content')
  })
})

const pick = async (page: Page, control: string, option: string | RegExp) => {
  await page.getByRole('combobox', { name: control, exact: true }).click()
  await page.getByRole('option', { name: option }).click()
}

test('a task becomes a coordination in its form, which says what is wrong, keeps it all, and shows what changed', async ({
  page,
}) => {
  const name = `Weigh ${newMark()}`
  await go(page, '/tasks/new')
  const form = page.getByRole('form', { name: 'Task', exact: true })
  await whenInteractive(button(page, 'Add task'))
  await form.getByLabel('Name', { exact: true }).fill(name)
  await form.getByRole('textbox', { name: 'Prompt' }).fill('Weigh it.')
  await pick(page, 'Kind', /^Coordination/)
  await button(page, 'Add critic').click()
  await pick(page, 'Critic 2: configuration', /^Demo/)
  const second = form.getByRole('group', { name: 'Critic 2' })
  await second.getByRole('textbox', { name: 'Role prompt' }).fill('Object to the cost.')
  await second.getByText('Limits').click()
  await second.getByLabel('Hop budget').fill('99')
  await second.getByLabel('Cost cap').fill('0.05')
  await pick(page, 'When it is reached', 'Stop with a final answer')
  await button(page, 'Add tool').click()
  await page.getByRole('option', { name: /^verify/ }).click()
  await expectEveryLook(page, 'the form of a coordination', 'content')
  await button(page, 'Add task').click()
  await expect(second.getByLabel('Hop budget')).toBeFocused()
  await expect(second.getByText('At most 20.')).toBeVisible()
  await second.getByLabel('Hop budget').fill('3')
  await button(page, 'Add task').click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

  await page.reload()
  await expect(second.getByText('Hop budget 3, cost cap 0.05')).toBeVisible()
  await expect(second.getByRole('textbox', { name: 'Role prompt' })).toHaveValue(
    'Object to the cost.',
  )
  await whenInteractive(button(page, 'Remove Critic 1'))
  await button(page, 'Remove Critic 1').click()
  await expect(form.getByRole('list', { name: 'Members' })).toBeFocused()
  await button(page, 'Remove verify').click()
  await button(page, 'Save').click()
  await page.getByRole('link', { name: 'Show changes of version 2' }).click()
  const changes = page.getByRole('region', { name: /Panel/ })
  await expect(changes.getByText('removed: Tools: verify')).toBeVisible()
  await expect(changes.getByText('added: Tools: none')).toBeVisible()
  await expect(changes.getByText('Cost cap: $0.05, Stop with a final answer')).toBeVisible()
  await expectEveryLook(page, 'a coordination that changed', 'content')
})

test('a schedule starts a task as its panel, with values that it asks for', async ({ page }) => {
  const [name, mark] = [`Weekly ${newMark()}`, newMark()]
  await go(page, '/schedules')
  await whenInteractive(button(page, 'Add schedule'))
  await button(page, 'Add schedule').click()
  const dialog = page.getByRole('dialog')
  const value = (label: string) => dialog.getByRole('textbox', { name: label })
  await value('Name').fill(name)
  await value('Times').fill('0 8 1 1 *')
  await pick(page, 'Task', 'Compare two answers')
  await value('Question').fill(`${mark} Which way? [[say: {{envelope}}]]`)
  await value('Answer A').fill('By rail.')
  await dialog.getByRole('button', { name: 'Add schedule' }).click()
  await expect(value('Answer B')).toBeFocused()
  await expect(value('Answer B')).toHaveAccessibleDescription('Enter a value.')
  await value('Answer B').fill('By road.')
  await dialog.getByRole('button', { name: 'Add schedule' }).click()
  const configuration = dialog.getByRole('combobox', { name: 'Configuration' })
  await expect(configuration).toHaveAccessibleDescription(/no configuration of its own/)
  await pick(page, 'Configuration', 'Local openai-compatible')
  await expectEveryLook(page, 'the form of a schedule with a task')
  await dialog.getByRole('button', { name: 'Add schedule' }).click()

  await page.getByRole('table').getByRole('link', { name, exact: true }).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('link', { name: 'Compare two answers' })).toBeVisible()
  await expect(main.getByText('By road.', { exact: true })).toBeVisible()
  await whenInteractive(button(page, 'Edit'))
  await button(page, 'Edit').click()
  await expect(value('Answer B')).toHaveValue('By road.')
  await pick(page, 'Task', 'None: a prompt of its own')
  await value('Prompt').fill('Say hello.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(main.getByText('Say hello.', { exact: true }).first()).toBeVisible()
  await button(page, 'Edit').click()
  await pick(page, 'Task', 'Compare two answers')
  await value('Question').fill(`${mark} Which way? [[say: {{envelope}}]]`)
  await value('Answer A').fill('By rail.')
  await value('Answer B').fill('By road.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(main.getByText('By rail.', { exact: true }).first()).toBeVisible()
  await button(page, 'Run now').click()
  await expectEveryLook(page, 'a schedule with a task', 'content')
  await main.getByRole('link', { name: /^Panel / }).click()
  await page.waitForURL(/\/runs\/panels\//)
  await expect(page.getByText(mark).first()).toBeVisible()
  for (const role of ['Proposer', 'Critic', 'Synthesizer'])
    await expect(
      page.getByRole('article', { name: new RegExp(`^${role}: `) }).getByText('Completed'),
    ).toBeVisible()
})

test('a schedule runs as a member after they approved it, until they withdraw it', async ({
  page,
  visit,
}) => {
  const name = `For a member ${newMark()}`
  await go(page, '/schedules')
  await whenInteractive(button(page, 'Add schedule'))
  await button(page, 'Add schedule').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('textbox', { name: 'Times' }).fill('0 8 1 1 *')
  await pick(page, 'Configuration', 'Local openai-compatible')
  await dialog.getByRole('textbox', { name: 'Prompt' }).fill('[[say: Good morning.]]')
  await dialog.getByRole('button', { name: /^Run as: / }).click()
  await page.getByRole('searchbox', { name: 'Search people' }).fill(accounts.member.email)
  await page.getByRole('button', { name: new RegExp(`${accounts.member.email}$`) }).click()
  await dialog.getByRole('button', { name: 'Add schedule' }).click()
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row.getByText('Waiting for consent')).toBeVisible()
  await row.getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const main = page.getByRole('main')
  await expect(main.getByText(/has not agreed that it runs as them/)).toBeVisible()
  await whenInteractive(button(page, 'Run now'))
  await button(page, 'Run now').click()
  await expect(page.getByText('Nothing was started', { exact: true })).toBeVisible()
  await expectEveryLook(page, 'a schedule that waits for consent', 'content')

  const member = await visit('member')
  await go(member, '/overview')
  await member.getByRole('link', { name: /asking to run as you/ }).click()
  const asking = member.getByRole('article', { name })
  await expect(asking.getByText('[[say: Good morning.]]')).toBeVisible()
  await expectEveryLook(member, 'a schedule that asks for consent', 'content')
  await whenInteractive(button(member, `Approve ${name}`))
  await button(member, `Approve ${name}`).focus()
  await member.keyboard.press('Enter')
  await expect(asking).toBeHidden()
  const answered = member.getByRole('region', { name: 'Schedules that run as you' })
  await answered.getByText(name).click()
  await expectEveryLook(member, 'a schedule that runs as a member', 'content')

  await page.reload()
  await whenInteractive(button(page, 'Run now'))
  await button(page, 'Run now').click()
  await expect(main.getByRole('link', { name: /^Run / })).toBeVisible()
  await button(member, `Withdraw approval of ${name}`).click()
  await expect(answered.getByText('Denied')).toBeVisible()
  await page.reload()
  await expect(main.getByText(/they denied it, or withdrew/)).toBeVisible()
})
