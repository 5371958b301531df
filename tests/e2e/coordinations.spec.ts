import type { Page } from 'playwright/test'
import { go } from './support/go'
import { newMark } from './support/model-requests'
import { expectEveryLook, expectNoSidewaysScroll } from './support/page-checks'
import { readSite } from './support/site'
import { expect, test } from './support/test'
import { watchShifts } from './support/watch-shifts'

const says = {
  proposer:
    '{ "answer": "Ship it.", "reasons": ["It works."], "evidence": ["42"], "confidence": 0.8 }',
  critic:
    '{ "verdict": "revise", "issues": [{ "severity": "low", "quote": "Ship it.", "issue": "Say when." } ] }',
  synthesizer:
    '{ "answer": "Ship it on Monday.", "taken": ["The day."], "not_taken": [ ], "open_points": [ ] }',
}
const slowly = (role: keyof typeof says) => `[[wait 900ms]] [[say slowly 60ms: ${says[role]}]]`

type Role = { instructions: string; configuration?: string }

/** Starts a coordination of four roles, each of which does what its instructions say. Returns the address of its page. */
async function coordinate(page: Page, more: object, proposer: string): Promise<string> {
  const role = (configuration: string, { instructions }: Role) => ({ configuration, instructions })
  const headers = { authorization: `Bearer ${readSite().adminKey}` }
  const answer = await page.request.post('/api/v1/coordinations', {
    headers,
    data: {
      prompt: `Is the plan ready? ${newMark()}`,
      proposer: role('local-openai-compatible', { instructions: proposer }),
      critics: ['local-anthropic', 'local-openai-compatible'].map((name) =>
        role(name, { instructions: slowly('critic') }),
      ),
      synthesizer: role('local-anthropic', { instructions: slowly('synthesizer') }),
      ...more,
    },
  })
  const { panelId } = await answer.json()
  return `/runs/panels/${panelId}`
}

const column = (page: Page, role: string) =>
  page.getByRole('article', { name: new RegExp(`^${role}: `) })
const lanes = (page: Page) =>
  page.getByRole('region', { name: 'Roles over time' }).getByRole('link')

test('roles join the page without moving it or closing what the reader opened, and each lane leads to its column', async ({
  page,
}) => {
  const tools = { tools: ['current_time', 'get_env_raw'] }
  await go(page, await coordinate(page, tools, slowly('proposer')))
  await expect(lanes(page)).toHaveText([
    /^Proposer: .*Running/,
    /^Critic 1: .*Waits for its turn.*Waits for the proposer/,
    /^Critic 2: .*Waits for the proposer/,
    /^Synthesizer: .*Waits for 2 critics/,
  ])
  await column(page, 'Proposer').getByText('1 of 2 tools refused').click()
  const refused = column(page, 'Proposer').getByText('get_env_raw')
  await expect(refused).toBeVisible()
  await page.evaluate(() => window.scrollTo({ top: 60 }))
  const shifts = await watchShifts(page)
  await expect(lanes(page).nth(3)).toContainText('Running')
  await expect(column(page, 'Synthesizer').getByText('Completed')).toBeVisible()
  await expect(lanes(page)).toContainText(Array(4).fill('Completed'))
  expect(await shifts()).toBeLessThanOrEqual(0.02)
  await expect(refused).toBeVisible()
  expect(await page.evaluate(() => window.scrollY)).toBe(60)
  await expect(lanes(page).nth(3)).toHaveAccessibleName(
    /^Synthesizer: .* Completed .*waited \d.* for 2 critics, worked \d/,
  )
  await lanes(page).nth(3).focus()
  await page.keyboard.press('Enter')
  await expect(column(page, 'Synthesizer')).toBeFocused()
  await expect(column(page, 'Synthesizer')).toBeInViewport()
  await expectEveryLook(page, 'a coordination')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await lanes(page).nth(3).click()
  await expect(column(page, 'Synthesizer')).toBeInViewport()
})

test('the page asks once what the cap of all roles does; an answer holds for those that go on and those to come', async ({
  page,
}) => {
  const costCap = { mode: 'warn', limitMicroUsd: 1 }
  const proposer = `[[call current_time {}]] [[usage 1000 100]] [[then]] [[wait 9000ms]] [[call current_time {}]] [[usage 1000 100]] [[then]] [[say: ${says.proposer}]]`
  await go(page, await coordinate(page, { costCap, tools: ['current_time'] }, proposer))
  const cap = page.getByRole('region', { name: 'Cost cap of all members' })
  await expect(cap).toContainText(
    'and reached its cap of $0.000001: members go on, with a warning.',
  )
  await expectEveryLook(page, 'a coordination that reached its cap', 'content')
  await cap.getByRole('button', { name: 'Enforce' }).click()
  await expect(cap).toContainText('roles at work write a final answer, no other begins')
  await expect(column(page, 'Proposer').getByText(/^Cost cap/)).toBeVisible()
  for (const place of [1, 2, 3]) await expect(lanes(page).nth(place)).toContainText('Not started')
  await expect(column(page, 'Synthesizer')).toContainText('reached its cap of $0.000001')
  await expect(cap).toContainText('It cost $')
  await expect(cap.getByRole('button')).toHaveCount(0)
})
