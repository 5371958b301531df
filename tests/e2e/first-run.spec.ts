import type { Page } from 'playwright/test'
import { go } from './support/go'
import { modelRequests, newMark } from './support/model-requests'
import { expectAccessible, expectNoSidewaysScroll } from './support/page-checks'
import { calls, expectEnd, run, totals } from './support/playground'
import { readSite } from './support/site'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string) =>
  page.getByRole('main').getByRole('link', { name, exact: true })
/** Returns the field with this label, which may add that it is optional. */
const field = (page: Page, name: string) =>
  page.getByLabel(new RegExp(`^${name}( \\(optional\\))?$`))

async function pick(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
}

type Provider = {
  preset: string
  /** Path of the API on the local server. */
  base: '' | '/v1'
  /** Label of the key; the provider does not answer without one. */
  key: string
  /** Fills in and checks the further fields of its form. */
  fill?: (page: Page) => Promise<void>
  /** Checks the further content of its connection's page. */
  look?: (page: Page) => Promise<void>
}

/** Those whose forms differ; tests/integration/cloud-providers.test.ts runs each. */
const providers: Provider[] = [
  {
    preset: 'gemini',
    base: '',
    key: 'API key',
    look: addSecondKey,
  },
  {
    preset: 'azure-openai',
    base: '/v1',
    key: 'API key',
    fill: fillAzure,
    look: checkAzureHost,
  },
  {
    preset: 'bedrock',
    base: '',
    key: 'Secret access key',
    fill: fillBedrock,
  },
]

async function fillBedrock(page: Page): Promise<void> {
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
}

async function fillAzure(page: Page): Promise<void> {
  await pick(page, 'Authentication', 'Microsoft Entra ID')
  await expect(field(page, 'Client secret')).toBeVisible()
  await button(page, 'Add connection').click()
  await expect(page.getByText('Enter the tenant id.')).toBeVisible()
  await pick(page, 'Authentication', 'API key')
}

/** Checks the Azure fields: another way to sign in sends the key to another address. */
async function checkAzureHost(page: Page): Promise<void> {
  await pick(page, 'Authentication', 'Microsoft Entra ID')
  await expect(page.getByText('Another host:')).toBeVisible()
  await pick(page, 'Authentication', 'API key')
  await expect(page.getByText('Another host:')).toHaveCount(0)
}

/** Adds a second key, gives it limits, switches it off and removes it. */
async function addSecondKey(page: Page): Promise<void> {
  const keys = page.getByRole('region', { name: 'Keys', exact: true })
  const rows = keys.getByRole('listitem')
  const dialog = page.getByRole('dialog')
  await expect(rows).toHaveText([/main.*…EKEY.*Ready/])
  await keys.getByRole('button', { name: 'Add key' }).click()
  await dialog.getByLabel('Label').fill('team b')
  await dialog.getByLabel(/^API key/).fill('sk-second-0123456789bbbb')
  await dialog.getByLabel('Weight').fill('0')
  await dialog.getByRole('button', { name: 'Add key' }).click()
  await expect(dialog.getByText('At least 1.')).toBeVisible()
  await dialog.getByLabel('Weight').fill('3')
  await dialog.getByRole('button', { name: 'Add key' }).click()
  await expect(rows).toHaveText([/main/, /team b.*…bbbb.*weight 3, no limit/])

  await keys.getByRole('button', { name: 'Edit… team b' }).click()
  await dialog.getByLabel(/^Requests a minute/).fill('60')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(rows.nth(1)).toContainText('60 requests a minute')
  await expectAccessible(page, 'a connection with two keys')

  await keys.getByRole('switch', { name: 'team b' }).click()
  await dialog.getByRole('button', { name: 'Switch off team b' }).click()
  await expect(rows.nth(1)).toContainText('Off')
  await keys.getByRole('button', { name: 'Remove… team b' }).click()
  await dialog.getByRole('button', { name: 'Remove team b' }).click()
  await expect(rows).toHaveText([/main/])
}

test('each form of a connection asks for what its provider needs; one gets a second key; the last leads to a first run with two tools', async ({
  page,
}) => {
  test.slow()
  let name = ''
  for (const provider of providers) {
    name = `${provider.preset} ${Date.now()}`
    await test.step(name, () => addConnection(page, provider, name))
  }
  await addModel(page, name, 'eu.anthropic.claude-test-v1:0')
  await addConfiguration(page, name)

  const mark = newMark()
  await page.getByRole('link', { name: 'Run', exact: true }).click()
  await whenInteractive(button(page, 'Run'))
  const both = '[[call list_users {}]] [[call slow_read {"ms":1,"label":"left side"}]]'
  const words = '[[then]] [[say: Two tools answered.]]'
  await page.getByRole('textbox', { name: 'Prompt' }).fill(`${mark} ${both} ${words}`)
  await button(page, 'Run').click()
  await expectEnd(page, 'Completed')
  await expect(calls(page).getByText('Done', { exact: true })).toHaveCount(2)
  await expect(run(page)).toContainText('Two tools answered.')
  await expect(totals(page)).toContainText('2 rounds')
  const requested = await modelRequests(mark)
  const path = '/model/eu.anthropic.claude-test-v1%3A0/converse-stream'
  expect(requested.map((request) => request.path)).toEqual([path, path])
  expect(requested[1]?.results).toHaveLength(2)
})

async function addConnection(page: Page, provider: Provider, name: string): Promise<void> {
  const { preset, base, key, fill, look } = provider
  await go(page, `/connections/new?preset=${preset}`)
  await whenInteractive(button(page, 'Add connection'))
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  if (!fill) {
    // At the provider's own address nothing is sent without one.
    await button(page, 'Add connection').click()
    await expect(page.getByText('Paste the key.')).toBeVisible()
    await expect(page.getByLabel(key, { exact: true })).toBeFocused()
  }
  await page.getByLabel(/^Base URL/).fill(`${readSite().modelUrl}${base}`)
  await fill?.(page)
  await field(page, key).fill('wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY')
  await pick(page, 'Trust zone', 'Local')
  const allowed = page.getByLabel('Allow this address in a private network')
  if (!(await allowed.isChecked())) {
    await button(page, 'Test').click()
    await expect(page.getByText(/^This address is on this machine\./)).toBeVisible()
    await allowed.check()
  }
  if (preset === 'gemini') {
    await button(page, 'Test').click()
    await expect(page.getByText('The provider answers and lists 1 model.')).toBeVisible()
  }
  await button(page, 'Add connection').click()
  await page.waitForURL(/\/connections\/[0-9a-f-]{36}$/)
  await whenInteractive(button(page, 'Save'))
  // It is tested as soon as it is there.
  const health = page.getByRole('region', { name: 'Health' })
  await expect(health).toContainText(/The provider answers and lists \d models?\./)
  await expectNoSidewaysScroll(page, `connection ${preset}`)
  if (look) await test.step(look.name, () => look(page))
}

/** Adds a model of this connection by its id, and goes to its page; first-model.spec.ts finds models instead. */
async function addModel(page: Page, connection: string, model: string): Promise<void> {
  await go(page, '/models/new')
  await whenInteractive(button(page, 'Add model'))
  await pick(page, 'Connection', connection)
  await field(page, 'Model id').fill(model)
  await field(page, 'Name').fill(`Model of ${connection}`)
  await button(page, 'Add model').click()
  await page.waitForURL(/\/models\/[0-9a-f-]{36}$/)
}

/** Adds a configuration for the model whose page is open, and goes to its page. */
async function addConfiguration(page: Page, name: string): Promise<void> {
  await link(page, 'Add configuration with it').click()
  await page.waitForURL(/\/configurations\/new/)
  await whenInteractive(button(page, 'Add configuration'))
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await expect(page.getByText(/The lowest trust zone decides: .*, local\./)).toBeVisible()
  await button(page, 'Add configuration').click()
  await page.waitForURL(/\/configurations\/[0-9a-f-]{36}$/)
}
