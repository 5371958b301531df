import type { Page } from '@playwright/test'
import { calls, end, expectEnd, run, runPrompt } from './support/playground'
import { readSite } from './support/site'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** A field may say that it is optional. */
const field = (page: Page, name: string) =>
  page.getByRole('textbox', { name: new RegExp(`^${name}( \\(optional\\))?$`) })

async function pick(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
}

/** Opens the form with a preset and points it at the local server. */
async function openForm(page: Page, preset: string, name: string, address: string): Promise<void> {
  await page.goto(`/connections/new?preset=${preset}`)
  await whenInteractive(button(page, 'Add connection'))
  await field(page, 'Name').fill(name)
  await page.getByLabel('Base URL').fill(address)
  await page.getByLabel('Allow this address in a private network').check()
}

/** Adds a model of the connection whose page is open, and goes to its page. */
async function addDiscovered(page: Page, modelId: string): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'Discover models' }).click()
  await page.getByRole('checkbox', { name: `Pick ${modelId}` }).check()
  await button(page, 'Add 1 model').click()
  await page.getByRole('main').getByRole('link', { name: 'Added' }).click()
  await page.waitForURL(/\/models\/[0-9a-f-]{36}$/)
}

/** Adds a configuration for the model whose page is open, and runs a prompt with a tool on it. */
async function runOnModel(page: Page, name: string): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'Add configuration with it' }).click()
  await page.waitForURL(/\/configurations\/new/)
  await field(page, 'Name').fill(name)
  await button(page, 'Add configuration').click()
  await page.waitForURL(/\/configurations\/[0-9a-f-]{36}$/)
  const prompt = '[[call list_users {}]] [[then]] [[say: One tool answered.]]'
  await runPrompt(page, { configuration: name, prompt })
  await expectEnd(page, 'Completed')
  await expect(calls(page)).toHaveCount(1)
  await expect(run(page)).toContainText('One tool answered.')
  await expect(end(page)).toContainText('2 rounds')
}

test('Amazon Bedrock is set up in the form, from its region to a first run with a tool', async ({
  page,
}) => {
  test.slow()
  const name = `Amazon ${Date.now()}`
  await openForm(page, 'bedrock', name, readSite().modelUrl)
  await field(page, 'Secret access key').fill('wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY')
  await button(page, 'Add connection').click()
  await expect(page.getByText('Enter the region.')).toBeVisible()
  await expect(page.getByText('Enter the access key id.')).toBeVisible()
  await field(page, 'Region').fill('eu-central-1')

  await pick(page, 'Authentication', 'Role of this server')
  await expect(field(page, 'Access key id')).toHaveCount(0)
  await expect(field(page, 'Secret access key')).toHaveCount(0)
  await pick(page, 'Authentication', 'Bedrock API key')
  await expect(field(page, 'API key')).toBeVisible()
  await pick(page, 'Authentication', 'Access key')
  await field(page, 'Access key id').fill('AKIDEXAMPLE012345')
  await button(page, 'Test').click()
  await expect(page.getByText('The provider answers and lists 2 models.')).toBeVisible()
  await button(page, 'Add connection').click()
  await page.waitForURL(/\/connections\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('main')).toContainText('eu-central-1')

  await addDiscovered(page, 'eu.anthropic.claude-test-v1:0')
  await runOnModel(page, name)
})

test('Azure OpenAI is set up in the form, and signs in with a key or a client secret', async ({
  page,
}) => {
  test.slow()
  const name = `Azure ${Date.now()}`
  await openForm(page, 'azure-openai', name, `${readSite().modelUrl}/v1`)
  await pick(page, 'Authentication', 'Microsoft Entra ID')
  await expect(field(page, 'Client secret')).toBeVisible()
  await button(page, 'Add connection').click()
  await expect(page.getByText('Enter the tenant id.')).toBeVisible()
  await pick(page, 'Authentication', 'API key')
  await field(page, 'API key').fill('azure-key-0123456789')
  await button(page, 'Add connection').click()
  await page.waitForURL(/\/connections\/[0-9a-f-]{36}$/)

  // Another way to sign in sends the key to another place.
  await whenInteractive(button(page, 'Save'))
  await pick(page, 'Authentication', 'Microsoft Entra ID')
  await expect(page.getByText('This is another host.')).toBeVisible()
  await pick(page, 'Authentication', 'API key')
  await expect(page.getByText('This is another host.')).toHaveCount(0)

  await addDiscovered(page, 'test-model')
  await runOnModel(page, name)
})
