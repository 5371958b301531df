import { modelRequests, newMark } from './support/model-requests'
import { calls, expectEnd, run, runPrompt } from './support/playground'
import { expect, test } from './support/test'
import { openTools, resetTool, switchOff, toolSwitch } from './support/tools-page'

// This tool belongs to this file: other files run at the same time and need theirs.
const idle = 'read_asset_meta'

test('a tool switched off between rounds is not offered, and refused when asked for', async ({
  page,
  visit,
}) => {
  const mark = newMark()
  const tools = await visit('admin')
  await openTools(tools)
  await expect(toolSwitch(tools, idle)).toBeChecked()
  await runPrompt(page, {
    prompt: [
      `${mark} [[call slow_read {"ms":12000,"label":"while it is switched off"}]]`,
      `[[then]] [[call ${idle} {}]]`,
      '[[then]] [[say: Offered in the end: {{offer}}.]]',
    ].join(' '),
  })
  await expect(calls(page).getByText('Running', { exact: true })).toBeVisible()
  await switchOff(tools, idle)

  await expectEnd(page, 'Completed')
  const refused = calls(page).filter({ hasText: idle })
  await expect(refused.getByText('Denied', { exact: true })).toBeVisible()
  await expect(refused).toContainText('Denied: switched off for this site')
  await refused.getByRole('button').first().click()
  await expect(refused).toContainText('Passed: installed, site not frozen, group on')
  await expect(refused.getByRole('link', { name: 'See it under Tools' })).toHaveAttribute(
    'href',
    `/tools?search=${idle}`,
  )
  const requests = await modelRequests(mark)
  expect(requests.map((request) => request.offered.includes(idle))).toEqual([true, false, false])
  expect(requests[2]?.results.at(-1)).toContain('switched off on this site')
  await expect(run(page)).toContainText('Offered in the end: ')

  await resetTool(tools, idle)
  await expect(toolSwitch(tools, idle)).toBeChecked()
})
