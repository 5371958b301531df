import { go } from './support/go'
import { modelRequests, newMark } from './support/model-requests'
import { expectAccessible } from './support/page-checks'
import {
  calls,
  expectEnd,
  fillPlayground,
  openToolPicker,
  pressRun,
  run,
  runIdOf,
} from './support/playground'
import { stateFile } from './support/site'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

// This configuration is this file's alone: other files run at the same time.
const configuration = 'Guided'
const name = 'look-at-groups'
const skill = (body: string) =>
  `---\nname: ${name}\ndescription: How to look at groups\nallowed-tools: [list_groups, no_such_tool]\nowner: Ada\n---\n${body}\n`
const file = (text: string) => ({
  name: 'SKILL.md',
  mimeType: 'text/markdown',
  buffer: Buffer.from(text),
})

test('an uploaded skill narrows the offer of its configuration, and the refusal names the gate', async ({
  page,
}) => {
  await go(page, '/skills/add')
  const add = page.getByRole('button', { name: 'Add skills', exact: true })
  await whenInteractive(add)
  await page.getByLabel('File', { exact: true }).setInputFiles(file('no front matter'))
  await add.click()
  await expect(page.getByText('It does not start with front matter')).toBeVisible()
  await page.getByLabel('File', { exact: true }).setInputFiles(file(skill('Count them.')))
  await add.click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText('This skill allows list_groups')).toBeVisible()
  await expect(page.getByText('No such tool: no_such_tool')).toBeVisible()
  await expect(page.getByText('owner (kept, not used)')).toBeVisible()
  await expectAccessible(page, 'a skill')

  await go(page, `/configurations?search=${configuration}`)
  await page.getByRole('link', { name: configuration, exact: true }).first().click()
  await page.waitForURL('**/configurations/*')
  const address = new URL(page.url()).pathname
  const section = page.getByRole('region', { name: 'Skills', exact: true })
  const pick = section.getByRole('combobox', { name: 'Skill to add' })
  await whenInteractive(pick)
  await pick.click()
  await page.getByRole('option', { name }).click()
  await section.getByRole('button', { name: 'Add skill', exact: true }).click()
  await expect(section.getByText('Its skills allow: list_groups')).toBeVisible()
  await section.getByText('Sent to the model').click()
  await expect(section.getByText(`skill="${name}"`)).toBeVisible()

  const mark = newMark()
  const prompt = `${mark} [[call list_users {}]][[call list_groups {}]][[then]][[say: Offered {{offer}}.]]`
  await fillPlayground(page, { configuration, prompt })
  const picker = await openToolPicker(page)
  await expect(picker.getByRole('checkbox', { name: 'list_groups', exact: true })).toBeEnabled()
  await picker.getByText(/not offered$/).click()
  await expect(
    picker.getByRole('listitem').filter({ hasText: 'do not list it under allowed-tools' }),
  ).toContainText('list_users')
  await pressRun(page)
  await expectEnd(page, 'Completed')
  await expect(run(page).getByText('Offered list_groups.')).toBeVisible()
  const refused = calls(page).filter({ hasText: 'list_users' })
  await expect(refused).toContainText('the skills of this run do not allow it')
  const [request] = await modelRequests(mark)
  expect(request?.offered).toEqual(['list_groups'])
  expect(request?.prompt).toMatch(/^<untrusted-\w+ skill="look-at-groups">\n[\s\S]*Count them\./)

  await go(page, `/runs/${await runIdOf(page)}`)
  await page.getByRole('main').getByText('Skills (1)').click()
  await expect(page.getByRole('main').getByText(`${name} version 1`)).toBeVisible()

  await go(page, address)
  const use = section.getByRole('switch', { name: `Use ${name} here` })
  await whenInteractive(use)
  await use.click()
  const dialog = page.getByRole('dialog', { name: `Switch off ${name} here` })
  await expect(dialog).toContainText('this removes the limit')
  await dialog.getByRole('button', { name: `Switch off ${name} here` }).click()
  await expect(section.getByText('Switched off, so its limit does not apply')).toBeVisible()
})

test('a skill that is here already is changed only after its difference was confirmed', async ({
  page,
  playwright,
  baseURL,
}) => {
  const text = `---\nname: say-it-twice\n---\nFirst words.\n`
  const paste = async (words: string) => {
    await go(page, '/skills/add')
    await whenInteractive(page.getByRole('button', { name: 'Add skills', exact: true }))
    await page.getByRole('radio', { name: 'Text' }).check()
    await page.getByRole('textbox', { name: 'SKILL.md' }).fill(words)
    await page.getByRole('button', { name: 'Add skills', exact: true }).click()
  }
  await paste(text)
  await expect(page.getByRole('heading', { level: 1, name: 'say-it-twice' })).toBeVisible()
  const address = new URL(page.url()).pathname
  await paste(text.replace('First', 'Second'))
  const change = page.getByRole('button', { name: 'Change say-it-twice' })
  await expect(page.getByText('removed: First words.')).toBeAttached()
  await expectAccessible(page, 'a difference to confirm')
  await change.click()
  await page.waitForURL(`**${address}`)
  await expect(page.getByRole('heading', { name: 'Version 2' })).toBeVisible()
  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await expect(page.getByRole('heading', { name: 'Version 3' })).toBeVisible()

  const storageState = stateFile('member')
  const member = await playwright.request.newContext({ baseURL, storageState })
  expect((await member.get(address)).status()).toBe(403)
  expect((await member.get(`/api${address}/file`)).status()).toBe(403)
  await member.dispose()

  const more = page.getByRole('button', { name: 'More', exact: true })
  await whenInteractive(more)
  await more.click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete say-it-twice' }).click()
  await page.waitForURL('**/skills')
  await go(page, '/skills?search=say-it-twice')
  await expect(page.getByRole('main').getByText('No skill matches this filter')).toBeVisible()
})
