import type { Page } from 'playwright/test'
import { go } from './support/go'
import { expectAccessible, expectEveryLook } from './support/page-checks'
import { expectEnd, run, runIdOf } from './support/playground'
import { readSite } from './support/site'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

/** Picks an option of an open list by typing the beginning of its text, which moves the focus there. */
async function pickByTyping(page: Page, text: string, option: string): Promise<void> {
  await expect(page.getByRole('listbox').locator(':focus')).toBeAttached()
  await page.keyboard.type(text)
  await expect(page.getByRole('option', { name: option })).toBeFocused()
  await page.keyboard.press('Enter')
}

test('a task with two variables is made by keyboard, and run from the Playground', async ({
  page,
}) => {
  const name = test.info().retry === 0 ? 'Look at a part' : 'Look at another part'
  await go(page, '/tasks/new')
  const form = page.getByRole('form', { name: 'Task', exact: true })
  await whenInteractive(form.getByRole('button', { name: 'Add task' }))
  const { keyboard } = page
  await form.getByLabel('Name', { exact: true }).focus()
  await keyboard.type(name)
  await expect(form.getByLabel('Identifier')).toHaveValue(name.toLowerCase().replaceAll(' ', '-'))
  await form.getByRole('textbox', { name: 'Prompt' }).focus()
  await keyboard.type('Explain {{part}} in {{words}} words, and {{{{nothing}} else.')
  await form.getByRole('button', { name: 'Add 2 variables' }).focus()
  await keyboard.press('Enter')
  const rows = form.getByRole('list', { name: 'Variables' }).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.first().getByLabel('Name')).toBeFocused()
  await keyboard.press('Tab')
  await keyboard.type('Which part')
  await rows.last().getByRole('combobox', { name: 'Type' }).focus()
  await keyboard.press('Enter')
  await pickByTyping(page, 'Numb', 'Number')
  await rows.last().getByLabel('Default').focus()
  await keyboard.type('three')
  await form.getByRole('combobox', { name: 'Configuration' }).focus()
  await keyboard.press('Enter')
  // A long list is searched, a short one goes to the option whose name begins so: both take what is typed.
  const demo = page.getByRole('option', { name: 'Demo (no model)' })
  await expect(page.getByRole('listbox')).toBeVisible()
  await keyboard.type('Demo (no')
  // Enter takes the one that is marked, which follows what is typed a moment later.
  const marked = page.locator('[role=option][data-highlighted], [role=option][data-selected=true]')
  await expect(demo.and(marked)).toBeVisible()
  await keyboard.press('Enter')
  await expect(form.getByRole('combobox', { name: 'Configuration' })).toContainText('Demo')
  await page.getByRole('textbox', { name: 'Which part' }).fill('a {{words}}')
  await expect(page.getByText('Explain a {{words}} in {{words}} words')).toBeVisible()
  await form.getByLabel('Name', { exact: true }).first().press('Enter')
  await expect(rows.last().getByLabel('Default')).toBeFocused()
  await keyboard.press('Control+a')
  await keyboard.type('30')
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

  await keyboard.press('Control+k')
  await expect(page.getByRole('option', { name: `Run ${name}` })).toBeVisible()
  await keyboard.type(`Run ${name}`)
  await keyboard.press('Enter')
  const task = page.getByRole('form', { name: `Task ${name}` })
  await whenInteractive(task.getByRole('button', { name: 'Run', exact: true }))
  await expect(page.getByRole('button', { name: 'Configuration: Demo (no model)' })).toBeVisible()
  await task.getByRole('button', { name: 'Run', exact: true }).press('Enter')
  const part = task.getByRole('textbox', { name: 'Which part' })
  await expect(part).toBeFocused()
  await expect(part).toHaveAccessibleDescription('Enter a value.')
  await keyboard.type('a {{words}} tool call')
  await keyboard.press('Control+Enter')
  await expectEnd(page, 'Completed')
  const prompt = 'Explain a {{words}} tool call in 30 words, and {{nothing}} else.'
  await expect(run(page).getByText(prompt).first()).toBeVisible()
  await expect(page.getByText('Stand-in', { exact: true })).toBeVisible()
  await expectAccessible(page, 'a task in the Playground')

  await go(page, `/runs/${await runIdOf(page)}`)
  await expect(page.getByRole('link', { name, exact: true })).toBeVisible()
  const again = page.getByRole('link', { name: 'Run again', exact: true })
  await whenInteractive(again)
  await again.click()
  await expect(part).toHaveValue('a {{words}} tool call')
})

test('a member finds the tasks that they may run, runs one, and sees nothing of the others', async ({
  visit,
}) => {
  const page = await visit('member')
  const main = page.getByRole('main')
  await page.goto('/tasks')
  const name = 'Report for readers'
  await expect(main.getByRole('row', { name: new RegExp(name) })).toContainText('Subject')
  await expect(main.getByText('W'.repeat(20))).toHaveCount(0)
  await expectEveryLook(page, 'tasks of a member')
  await main.getByRole('table').getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(main.getByRole('list', { name: 'Variables' })).toContainText('Subject')
  await expectEveryLook(page, 'a task of a member', 'content')
  await main.getByRole('link', { name: `Run ${name}` }).click()
  const task = page.getByRole('form', { name: `Task ${name}` })
  await whenInteractive(task.getByRole('button', { name: 'Run', exact: true }))
  await task.getByRole('textbox', { name: 'Subject' }).fill('bees')
  await page.keyboard.press('Control+Enter')
  await expectEnd(page, 'Completed')
  const runId = await runIdOf(page)
  await go(page, '/tasks')
  const last = main
    .getByRole('row', { name: new RegExp(name) })
    .getByRole('link', { name: /ago|now/ })
  await expect(last).toHaveAttribute('href', `/runs/${runId}`)

  const [other = ''] = readSite().wide.filter((address) => address.startsWith('/tasks/'))
  expect((await page.goto(other))?.status()).toBe(404)
  expect((await page.goto('/tasks/new'))?.status()).toBe(403)
})
