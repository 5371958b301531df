import { type APIRequestContext, expect, type Locator, type Page } from 'playwright/test'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import { go } from './go'
import { whenInteractive } from './when-interactive'

export type PlaygroundInput = {
  prompt: string
  /** Name of the configuration, as the page shows it. */
  configuration?: string
  /** Only these tools; left out = all that may run. */
  tools?: string[]
  maxRounds?: number
}

/** Opens the Playground and fills in the form, but does not run it. */
export async function fillPlayground(page: Page, input: PlaygroundInput): Promise<void> {
  await go(page, '/playground')
  await whenInteractive(page.getByRole('button', { name: 'Run', exact: true }))
  await pickConfiguration(page, input.configuration ?? 'Local openai-compatible')
  if (input.tools) await pickTools(page, input.tools)
  if (input.maxRounds !== undefined) {
    await page.getByLabel('Maximum rounds').fill(String(input.maxRounds))
  }
  await page.getByRole('textbox', { name: 'Prompt' }).fill(input.prompt)
}

/** Runs a prompt and returns the run's id; does not wait for its end. */
export async function runPrompt(page: Page, input: PlaygroundInput): Promise<string> {
  await fillPlayground(page, input)
  await pressRun(page)
  return runIdOf(page)
}

export async function pressRun(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click()
}

/** Returns the id of the run in the Playground's address. */
export async function runIdOf(page: Page): Promise<string> {
  await page.waitForURL(/\/playground\?run=/)
  return new URL(page.url()).searchParams.get('run') ?? ''
}

async function pickConfiguration(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Configuration: / }).click()
  await page.getByPlaceholder('Search configurations').fill(name)
  await page
    .getByRole('option')
    .filter({ has: page.getByText(name, { exact: true }) })
    .click()
  await expect(
    page.getByRole('button', { name: `Configuration: ${name}`, exact: true }),
  ).toBeVisible()
}

/** Switches every group off, then these on. */
async function pickTools(page: Page, names: string[]): Promise<void> {
  const picker = await openToolPicker(page)
  // A group may be shown anew while it is switched.
  await expect(async () => {
    for (const group of await picker.locator('fieldset').all()) {
      const whole = group.getByRole('checkbox').first()
      if (await whole.isDisabled()) continue
      if (!(await whole.isChecked())) await whole.click()
      await whole.click()
    }
    await expect(picker.getByText(/^0 of \d+ tools on$/)).toBeVisible({ timeout: 2_000 })
  }).toPass()
  for (const name of names) await picker.getByRole('checkbox', { name, exact: true }).click()
}

/** Opens the list of tools and returns it. */
export async function openToolPicker(page: Page): Promise<Locator> {
  const picker = page.getByRole('region', { name: 'Tools', exact: true })
  // Another configuration may have other groups.
  await expect(picker).toHaveAttribute('aria-busy', 'false')
  const fold = picker.locator('details').first()
  const summary = fold.locator('summary').first()
  await whenInteractive(summary)
  // A page that is still rendering may close what was opened before.
  await expect(async () => {
    if ((await fold.getAttribute('open')) === null) await summary.click()
    await expect(fold).toHaveAttribute('open', '', { timeout: 1_000 })
  }).toPass()
  return picker
}

export function run(page: Page): Locator {
  return page.getByRole('region', { name: 'Run', exact: true })
}

export function round(page: Page, number: number): Locator {
  return run(page).getByRole('region', { name: `Round ${number}`, exact: true })
}

/** Returns the cards of all calls, in the order of the trace. */
export function calls(page: Page): Locator {
  return run(page).getByRole('article')
}

export function end(page: Page): Locator {
  return run(page).getByRole('region', { name: 'How the run ended' })
}

/** Returns the strip with the state and the totals of the run. */
export function totals(page: Page): Locator {
  return run(page).getByRole('group', { name: 'State and totals' })
}

/** Waits for the end and checks its word: "Completed", "Stopped". */
export async function expectEnd(page: Page, word: string): Promise<void> {
  await expect(end(page)).toBeVisible()
  await expect(end(page).getByText(word, { exact: true })).toBeVisible()
}

export function stopButton(page: Page): Locator {
  return run(page).getByRole('button', { name: 'Stop', exact: true })
}

/** Returns all events of a run, as its reader can export them. */
export async function readJournal(request: APIRequestContext, runId: string): Promise<RunEvent[]> {
  const response = await request.get(`/api/runs/${runId}/export`)
  if (!response.ok()) throw new Error(`The journal was refused: ${response.status()}.`)
  const lines = (await response.text()).trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}
