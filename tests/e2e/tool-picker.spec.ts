import { newMark } from './support/model-requests'
import { expectEnd, fillPlayground, pressRun, run, toolPicker } from './support/playground'
import { expect, test } from './support/test'

test('tools are picked singly, by group and by search, and stay picked after a reload', async ({
  page,
}) => {
  await fillPlayground(page, { prompt: `${newMark()} [[say: Offered: {{offer}}.]]` })
  const picker = toolPicker(page)
  const group = picker.getByRole('group', { name: 'extra' })
  const whole = group.getByRole('checkbox', { name: 'extra', exact: true })
  const one = group.getByRole('checkbox', { name: 'slow_read', exact: true })
  await expect(whole).toBeChecked()
  await one.click()
  await expect(whole).toBeChecked({ indeterminate: true })
  await whole.click()
  await expect(one).toBeChecked()
  await whole.click()
  await expect(one).not.toBeChecked()

  await picker.getByRole('searchbox', { name: 'Search tools' }).fill('accounts groups')
  await expect(picker.getByRole('checkbox', { name: 'slow_read', exact: true })).toHaveCount(0)
  await expect(picker.getByRole('checkbox', { name: 'list_groups', exact: true })).toBeVisible()
  await picker.getByRole('searchbox', { name: 'Search tools' }).fill('nothing like it')
  await expect(picker.getByText('No matches')).toBeVisible()

  await page.reload()
  await expect(one).not.toBeChecked()
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue(/Offered/)
  await pressRun(page)
  await expectEnd(page, 'Completed')
  const answer = run(page).getByText(/^Offered: /)
  await expect(answer).toContainText('list_users')
  await expect(answer).not.toContainText('slow_read')
})
