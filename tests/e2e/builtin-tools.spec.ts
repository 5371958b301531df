import { newMark } from './support/model-requests'
import { calls, expectEnd, fillPlayground, pressRun } from './support/playground'
import { expect, test } from './support/test'

test('a built-in tool says in its own words what it returns, and why it refuses', async ({
  page,
}) => {
  const request = ['1/0', 'round(19.99 * 1.19, 2)'].map(
    (expression) => `[[call calculate ${JSON.stringify({ expression })}]]`,
  )
  const prompt = `${newMark()} ${request.join(' [[then]] ')} [[then]] [[say: Done.]]`
  await fillPlayground(page, { prompt, tools: ['calculate'] })
  await pressRun(page)
  await expectEnd(page, 'Completed')
  const [refused, answered] = [calls(page).first(), calls(page).nth(1)]
  await expect(refused).toContainText('It divides by zero.')
  await answered.getByRole('button').first().click()
  await expect(answered).toContainText('23.79')
})
