import type { APIRequestContext } from 'playwright/test'
import { startMessageReceiver } from '@/tests/support/message-receiver'
import { go } from './support/go'
import { newMark } from './support/model-requests'
import { expectAccessible } from './support/page-checks'
import { calls, expectEnd, run, runPrompt } from './support/playground'
import { readSite } from './support/site'
import { expect, test } from './support/test'

const tool = '/api/v1/tools/send_message'

/** Adds a channel where runs may send messages, and switches the tool on. Returns the id of the channel. */
async function open(client: APIRequestContext, name: string, address: string): Promise<string> {
  const data = { name, kind: 'slack', address, privateAddressAllowed: true, runMessages: true }
  const added = await client.post('/api/v1/channels', { data })
  expect(added.status()).toBe(201)
  const on = await client.put(tool, { data: { enabled: true, reason: 'a test' } })
  expect(on.ok()).toBe(true)
  return (await added.json()).channel.id
}

test('a message to people is read, edited and approved before it is sent', async ({
  page,
  playwright,
  baseURL,
}) => {
  const receiver = await startMessageReceiver()
  const client = await playwright.request.newContext({
    baseURL,
    storageState: { cookies: [], origins: [] },
    extraHTTPHeaders: { authorization: `Bearer ${readSite().adminKey}` },
  })
  const mark = newMark()
  const channel = `Chat ${mark}`
  const id = await open(client, channel, `${receiver.origin}/hooks/hidden`)
  const args = (text: string) => JSON.stringify({ channel, text: `${mark} ${text}` })
  const prompt = `[[call send_message ${args('@here as the model wrote it')}]] [[then]] [[say: {{results}}]]`
  await runPrompt(page, { prompt, tools: ['send_message'] })

  const [call] = [calls(page).first()]
  await expect(call).toContainText('Waiting for approval')
  await expect(call).toContainText('What the call does')
  await expect(call).toContainText(`To ${channel} (Slack-compatible webhook`)
  await expect(call).toContainText('Sent by a run of')
  await expectAccessible(page, 'message that waits')
  expect(receiver.received).toEqual([])

  await call.getByRole('button', { name: 'Edit arguments of send_message' }).click()
  await call.getByRole('tab', { name: 'JSON' }).click()
  await call.getByLabel('Arguments as JSON').fill(args('as a person wrote it'))
  await call.getByRole('button', { name: 'Approve with these arguments' }).click()
  await expectEnd(page, 'Completed')
  await expect(run(page)).toContainText('"delivered":true')
  expect(receiver.received).toHaveLength(1)
  const [{ body } = { body: '' }] = receiver.received
  expect(body).toContain(`${mark} as a person wrote it`)
  expect(body).not.toContain('as the model wrote it')

  await go(page, `/channels/${id}`)
  const last = page.getByRole('region', { name: 'Messages of runs' })
  await expect(last.getByText('arrived', { exact: true })).toBeVisible()
  await expect(page.getByText('those of admins', { exact: true })).toBeVisible()
  await expectAccessible(page, 'channel with a message of a run')
  for (const address of [`/api/v1/channels/${id}`, tool]) {
    expect((await client.delete(address)).ok()).toBe(true)
  }
  await client.dispose()
  await receiver.close()
})
