import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { channelVerbs } from '@/lib/domains/channels/verbs'
import { groupVerbs } from '@/lib/domains/groups/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import {
  mailAt,
  removeChannels,
  webhookAt,
  webhookPath,
  webhookSecret,
} from '@/tests/support/channels'
import { addPerson } from '@/tests/support/people'

let admin: Ctx

beforeAll(async () => {
  admin = await addPerson('admin')
})
afterEach(removeChannels)

const address = `http://127.0.0.1:9${webhookPath}`
const file = (...channels: object[]) => parseSiteFile(stringify({ toolgate: 2, channels }))
const plan = (...channels: object[]) => planSite(admin, file(...channels))
const apply = (...channels: object[]) =>
  applySite(admin, file(...channels), { reason: 'a release' })
const stored = async (name: string) => {
  const { rows } = await channelVerbs.list(admin, { sort: 'name' })
  return rows.find((channel) => channel.name === name)
}

test('an export has channels without their secrets, and changes nothing where it was made', async () => {
  const groups = [`b ${randomUUID()}`, `a ${randomUUID()}`]
  const groupIds = []
  for (const name of groups)
    groupIds.push((await groupVerbs.create(admin, { name, description: '' })).id)
  const webhook = { ...webhookAt(address), groupIds }
  const mail = { ...mailAt(25), user: 'ada', password: webhookSecret }
  for (const each of [webhook, mail]) await channelVerbs.create(admin, each)
  const text = await exportSite(admin)
  expect(parse(text).channels).toEqual([
    {
      name: mail.name,
      kind: 'smtp',
      host: '127.0.0.1',
      port: 25,
      security: 'starttls',
      user: 'ada',
      sender: mail.sender,
      recipients: mail.recipients,
      privateAddressAllowed: true,
      budgetAlerts: false,
      approvalAlerts: false,
      runMessages: false,
      groups: [],
      enabled: true,
    },
    {
      name: webhook.name,
      kind: 'webhook',
      privateAddressAllowed: true,
      budgetAlerts: true,
      approvalAlerts: false,
      runMessages: false,
      groups: groups.toSorted(),
      enabled: true,
    },
  ])
  for (const secret of [webhookPath, webhookSecret]) expect(text).not.toContain(secret)
  const unchanged = { steps: [], problems: [], notices: [] }
  expect(await planSite(admin, parseSiteFile(text))).toMatchObject(unchanged)
  expect(await plan({ name: webhook.name, groups: [...groups, ...groups] })).toMatchObject(
    unchanged,
  )
})

test('a channel that needs a secret is added switched off, and switched on once it has one', async () => {
  const name = 'Night watch'
  const night = { name, kind: 'webhook', privateAddressAllowed: true, enabled: true }
  const sentence = (how: string, what: string) =>
    `The channel Night watch ${how} switched off, because a site file has no secrets: enter its ${what}, then switch it on.`
  const { steps, notices } = await plan(night)
  expect(notices).toEqual([sentence('is added', 'address and secret')])
  expect(steps).toMatchObject([{ kind: 'channels', key: name, type: 'create' }])
  expect(steps[0]?.changes).toContainEqual({ field: 'enabled', before: null, after: false })
  expect((await apply(night)).notices).toEqual(notices)
  const { id = '', ...added } = (await stored(name)) ?? {}
  expect(added).toMatchObject({ enabled: false, secrets: [], privateAddressAllowed: true })

  await channelVerbs.update(admin, { id, address })
  const again = await plan(night)
  expect(again).toMatchObject({ steps: [], notices: [sentence('stays', 'secret')] })
  await expect(channelVerbs.update(admin, { id, enabled: true })).rejects.toMatchObject({
    fields: { secret: 'Enter a secret. It signs each message.' },
  })

  await channelVerbs.update(admin, { id, secret: webhookSecret })
  expect(await apply(night)).toMatchObject({ steps: [{ type: 'update' }], notices: [] })
  expect(await stored(name)).toMatchObject({ enabled: true, secrets: ['address', 'secret'] })
})

test('a file may leave it off without a word, and adds what needs no secret switched on', async () => {
  const off = { name: 'Off', kind: 'slack', enabled: false }
  const mail = mailAt(25)
  const { steps, notices } = await apply(off, mail, { ...mail, name: 'Signs in', user: 'ada' })
  expect(steps).toHaveLength(3)
  expect(notices).toEqual([expect.stringContaining('The channel Signs in is added switched off')])
  expect(await stored('Off')).toMatchObject({ enabled: false, leadsTo: '' })
  expect(await stored(mail.name)).toMatchObject({ enabled: true, host: '127.0.0.1' })
  expect(await stored('Signs in')).toMatchObject({ enabled: false, user: 'ada' })
})

test('a file holds no secret, names groups that exist, and leaves the kind as it was', async () => {
  expect(() => file({ name: 'Desk', secret: webhookSecret })).toThrow('channels 1')
  const { name } = mailAt(25)
  await channelVerbs.create(admin, { ...mailAt(25), name })
  const { problems } = await plan({ name, kind: 'slack', groups: ['Nobody'] })
  expect(problems).toEqual([
    expect.stringContaining(`The channel ${name} needs the group Nobody`),
    expect.stringContaining(`The channel ${name} has another kind on this site`),
  ])
})

test('a plan names what a kind lacks, and what it does not have', async () => {
  const { problems } = await plan(
    { name: 'Mail', kind: 'smtp', host: 'mail.example.com', recipients: 'ada@example.com' },
    { name: 'Chat', kind: 'slack', user: 'ada' },
  )
  expect(problems).toEqual([
    'The channel Mail, sender: Enter the address that mails come from.',
    'The channel Chat, user: A channel of this kind does not have this field. Leave it out.',
  ])
})
