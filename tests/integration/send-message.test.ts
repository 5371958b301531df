import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { messageLimits } from '@/lib/domains/channels/shared/run-messages'
import { channelVerbs } from '@/lib/domains/channels/verbs'
import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { cancelRun } from '@/lib/runs/verbs'
import { readPresentNeeds } from '@/lib/toolset/policy/tool-needs'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import {
  type ApprovalSite,
  decide,
  finish,
  openApprovalSite,
  startOne,
} from '@/tests/support/approval-site'
import { mailAt, removeChannels, webhookSecret } from '@/tests/support/channels'
import { db } from '@/tests/support/fixture-db'
import { startMailServer } from '@/tests/support/mail-server'
import { startMessageReceiver } from '@/tests/support/message-receiver'
import { needsNoApproval } from '@/tests/support/needs-no-approval'
import { addPerson } from '@/tests/support/people'
import { collect, start } from '@/tests/support/run-site'
import { setEnv } from '@/tests/support/test-process'

const hidden = '/hooks/hidden'

let site: ApprovalSite
let receiver: Awaited<ReturnType<typeof startMessageReceiver>>

beforeAll(async () => {
  site = await openApprovalSite()
  receiver = await startMessageReceiver()
  await site.startEngine()
  await switchTool(site.admin, { name: 'send_message', enabled: true, reason: 'a test' })
})
beforeEach(() => needsNoApproval('send_message'))
afterEach(async () => {
  await removeChannels()
  receiver.received.length = 0
  receiver.answers.length = 0
})
afterAll(async () => {
  await site.close()
  await receiver.close()
})

const slack = () => ({
  name: `Chat ${randomUUID()}`,
  kind: 'slack' as const,
  privateAddressAllowed: true,
  address: `${receiver.origin}${hidden}`,
  runMessages: true,
})

/** Adds a channel and returns its id and name. */
async function add(values: Partial<Parameters<typeof channelVerbs.create>[1]> = {}) {
  const whole = { ...slack(), ...values }
  const { id } = await channelVerbs.create(site.admin, whole)
  return { id, name: whole.name }
}

const prompt = (channel: string, ...texts: string[]) => {
  const calls = texts.map((text) => `[[call send_message ${JSON.stringify({ channel, text })}]]`)
  return `${calls.join(' ')} [[then]] [[say: done]]`
}

/** Runs calls to their end and returns how each of them ended. */
async function outcomes(requested: string) {
  const { runId } = await start(site, requested)
  return { runId, ended: endsOf(await finish(site.admin, runId)) }
}

function endsOf({ rounds }: Awaited<ReturnType<typeof finish>>) {
  return (rounds[0]?.calls ?? []).map(({ state }) =>
    state.type === 'ended' ? state.outcome : state,
  )
}

const lastMessages = async (id: string) => (await channelVerbs.read(site.admin, { id })).messages

const bodies = () => receiver.received.map(({ body }) => JSON.parse(body))

/** Makes each call wait for approval, as it does on a new site. */
const waits = () => db().toolApproval.deleteMany({ where: { toolName: 'send_message' } })

describe('who may send where', () => {
  let member: Ctx
  let groupId: string

  beforeAll(async () => {
    member = await addPerson('member')
    groupId = (await groupVerbs.create(site.admin, { name: randomUUID() })).id
    await addGroupMember(site.admin, { groupId, userId: member.actor.userId })
  })

  /** Returns what an approver would see of a message of this person, or why it could not be sent. */
  async function seen(ctx: Ctx, channel: string) {
    const tool = (await loadToolset(db())).get('send_message')
    const runs = { runId: randomUUID(), configurationId: null, callId: 'call' }
    const context = { ...runs, actor: ctx.actor, signal: new AbortController().signal }
    const call = { channel, text: 'Hello.' }
    const shown = await tool?.look?.read(call, context).catch((error: Error) => error.message)
    const done = tool?.execute(call, context).catch((error: Error) => error.message)
    return { shown, done }
  }

  test('a member may send to channels of their groups, and learns nothing of the others', async () => {
    const theirs = await add({ groupIds: [groupId] })
    const others = [
      await add(),
      await add({ groupIds: [groupId], runMessages: false }),
      await add({ groupIds: [groupId], enabled: false }),
      { name: 'missing' },
      { name: theirs.name.toUpperCase() },
    ]
    const refusal = `Channel not found or not permitted. You may use: ${theirs.name}.`
    for (const { name } of others) {
      const { shown, done } = await seen(member, name)
      expect(shown).toBe(refusal)
      expect(await done).toBe(refusal)
    }
    const tool = (await loadToolset(db())).get('send_message')
    expect(tool).toMatchObject({ requiresAdmin: false, enabledByDefault: false, effect: 'write' })
    expect(receiver.received).toEqual([])
  })

  test('an admin may send to each channel where runs may, and nobody to another one', async () => {
    const [open, closed] = [await add(), await add({ runMessages: false })]
    expect(await readPresentNeeds(db())).toContain('channel')
    const refusal = `Channel not found or not permitted. You may use: ${open.name}.`
    expect((await seen(site.admin, closed.name)).shown).toBe(refusal)
    await channelVerbs.update(site.admin, { id: open.id, runMessages: false })
    expect(await readPresentNeeds(db())).not.toContain('channel')
    const { ended } = await outcomes(prompt(open.name, 'no'))
    expect(ended).toMatchObject([{ type: 'denied' }])
    expect(receiver.received).toEqual([])
  })
})

describe('what is sent', () => {
  test('at a chat it is plain text that mentions nobody, and says whose run it is', async () => {
    const { id, name } = await add()
    const { runId, ended } = await outcomes(prompt(name, '<!channel> @ada [a](https://b.example)'))
    const content = JSON.stringify({ delivered: true, channel: name, attempts: 1, status: 200 })
    expect(ended).toMatchObject([{ type: 'ok', content }])
    const [body] = bodies()
    expect(body.text).toMatch(/^Message from a run of Test person \(\S+@example\.org\)\n/)
    expect(body.text).toContain('&lt;!channel&gt; @\u200bada [a]\u200b(https://b.example)')
    expect(body.text).toMatch(
      new RegExp(`\nSent by a run of Test person \\(\\S+@example\\.org\\) with Local .*${runId}$`),
    )
    expect(await lastMessages(id)).toMatchObject([
      { runId, sentByLabel: site.admin.actor.email, attempts: 1, isUncertain: false, trouble: '' },
    ])
    const stored = JSON.stringify([
      await db().runMessage.findMany(),
      await db().auditEntry.findMany(),
    ])
    for (const kept of ['@ada', hidden]) expect(stored).not.toContain(kept)
  })

  test('by mail it is a subject of our own and plain text', async () => {
    const server = await startMailServer()
    const mail = { ...mailAt(server.port), security: 'none' as const, runMessages: true }
    await channelVerbs.create(site.admin, mail)
    const { ended } = await outcomes(prompt(mail.name, 'Hello\nBcc: eve@example.com\n.\nQUIT'))
    expect(ended).toMatchObject([{ type: 'ok' }])
    expect(server.mails[0]).toMatch(
      /^Subject: Message from a run of Test\s+person\s+\(\S+@example\.org\)\r?$/m,
    )
    expect(server.said.filter((line) => line.startsWith('RCPT'))).toEqual([
      'RCPT TO:<ada@example.com>',
    ])
    await server.close()
  })

  test('it leads to its run where the site has an address that others can reach', async () => {
    const { name } = await add({ kind: 'webhook', secret: webhookSecret })
    setEnv({ TOOLGATE_URL: 'https://toolgate.example.com' })
    const { runId } = await outcomes(prompt(name, 'Hello.'))
    setEnv({ TOOLGATE_URL: 'http://localhost:3000' })
    expect(bodies()).toMatchObject([{ url: `https://toolgate.example.com/runs/${runId}` }])
  })

  test('at a signed webhook it is JSON with the text as one value', async () => {
    const { name } = await add({ kind: 'webhook', secret: webhookSecret })
    const { runId } = await outcomes(prompt(name, 'a","type":"budget-alert'))
    expect(bodies()).toEqual([
      {
        type: 'run-message',
        channel: name,
        text: 'a","type":"budget-alert',
        runId,
        callId: expect.any(String),
        startedBy: site.admin.actor.email,
        configuration: expect.stringMatching(/^Local /),
        url: null,
      },
    ])
  })
})

describe('a call that waits for approval', () => {
  beforeEach(waits)

  test('shows the message exactly as it will be, and sends what a person made of it', async () => {
    const { name } = await add()
    const row = await startOne(site, prompt(name, '@channel as the model wrote it'))
    const [request] = await db().approval.findMany({ where: { runId: row.runId } })
    expect(request).toBeDefined()
    const events = await collect(site.admin, row.runId, {
      until: (event) => event.type === 'approval-request',
    })
    const requested = events.find((event) => event.type === 'approval-request')
    const preview = requested?.type === 'approval-request' ? requested.data.preview : undefined
    expect(preview).toMatchObject({ isAct: true, becomes: null, before: { type: 'text' } })
    const shown = preview?.before.type === 'text' ? preview.before.text : ''
    expect(shown).toContain(`To ${name} (Slack-compatible webhook: ${receiver.origin}/…)`)
    expect(shown).not.toContain(hidden)
    const argumentsText = JSON.stringify({ channel: name, text: '@channel as a person wrote it' })
    await decide(site.admin, row, { type: 'edit', argumentsText, message: '' })
    expect(endsOf(await finish(site.admin, row.runId))).toMatchObject([{ type: 'ok' }])
    expect(bodies()).toHaveLength(1)
    const [{ text }] = bodies()
    expect(shown.slice(shown.indexOf('\n\n') + 2)).toBe(
      text.replace('a person wrote it', 'the model wrote it'),
    )
  })

  test.each([
    ['leads elsewhere', { address: 'elsewhere' }],
    ['has another name', { name: `Renamed ${randomUUID()}` }],
  ])('is refused when the channel %s after the approver looked', async (_what, change) => {
    const { id, name } = await add()
    await add()
    const row = await startOne(site, prompt(name, 'Hello.'))
    const address = `${receiver.origin}${hidden}/elsewhere`
    await channelVerbs.update(site.admin, { id, ...('address' in change ? { address } : change) })
    await decide(site.admin, row, { type: 'approve', message: '' })
    const ended = endsOf(await finish(site.admin, row.runId))
    expect(ended).toMatchObject([{ type: 'failed', code: 'changed-meanwhile' }])
    expect(receiver.received).toEqual([])
  })
})

describe('a receiver', () => {
  test('that fails and then works gets it again', async () => {
    const { id, name } = await add()
    receiver.answers.push(503)
    const { ended } = await outcomes(prompt(name, 'Hello.'))
    const content = JSON.stringify({ delivered: true, channel: name, attempts: 2, status: 200 })
    expect(ended).toMatchObject([{ type: 'ok', content }])
    const [first, second] = receiver.received
    expect(first).toEqual(second)
    expect(await lastMessages(id)).toMatchObject([{ attempts: 2, isUncertain: false, trouble: '' }])
  })

  test.each([
    ['redirect', 'not-delivered', /302.*not followed/, false],
    [403, 'not-delivered', /refused the message \(403\)/, false],
    ['go-away', 'delivery-unknown', /Nobody knows/, true],
  ] as const)('that answers with %s gets it once', async (answer, code, words, isUncertain) => {
    const { id, name } = await add()
    receiver.answers.push(answer)
    const { ended } = await outcomes(prompt(name, 'Hello.'))
    expect(ended).toMatchObject([{ type: 'failed', code, message: expect.stringMatching(words) }])
    expect(JSON.stringify(ended)).not.toContain('hidden')
    expect(receiver.received).toMatchObject([{ path: hidden }])
    expect(await lastMessages(id)).toMatchObject([{ deliveredAt: null, attempts: 1, isUncertain }])
  })

  test('that hangs is left when the run is stopped, and nobody knows whether it took it', async () => {
    const { id, name } = await add()
    receiver.answers.push('hang')
    const { runId } = await start(site, prompt(name, 'Hello.'))
    await expect.poll(() => receiver.received.length).toBe(1)
    await cancelRun(site.admin, { runId })
    expect(endsOf(await finish(site.admin, runId))).toMatchObject([{ type: 'cancelled' }])
    await expect
      .poll(() => lastMessages(id))
      .toMatchObject([{ deliveredAt: null, isUncertain: true }])
    expect(receiver.received).toHaveLength(1)
  })
})

test('a run sends so many messages, and no more', async () => {
  const { id, name } = await add()
  const calls = Array.from({ length: 8 }, (_, place) => `Message ${place}`)
  const round = (from: number) =>
    calls
      .map((text) => JSON.stringify({ channel: name, text: `${text} of ${from}` }))
      .map((args) => `[[call send_message ${args}]]`)
      .join(' ')
  const { runId } = await start(
    site,
    `${round(1)} [[then]] ${round(2)} [[then]] ${round(3)} [[then]] [[say: done]]`,
  )
  const { rounds } = await finish(site.admin, runId)
  const ended = rounds.flatMap((each) =>
    each.calls.map(({ state }) => (state.type === 'ended' ? state.outcome : state)),
  )
  expect(ended.filter(({ type }) => type === 'ok')).toHaveLength(messageLimits.ofRun)
  expect(ended.slice(messageLimits.ofRun)).toMatchObject(
    Array.from({ length: 4 }, () => ({ type: 'failed', code: 'run-full' })),
  )
  expect(receiver.received).toHaveLength(messageLimits.ofRun)
  expect(await lastMessages(id)).toHaveLength(messageLimits.ofRun)
})
