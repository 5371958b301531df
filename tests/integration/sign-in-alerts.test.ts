import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { flushRefusals } from '@/lib/domains/audit/record-refusal'
import type { ChannelMessage } from '@/lib/domains/channels/shared/delivery'
import { channelVerbs } from '@/lib/domains/channels/verbs'
import { deliverSignInAlerts } from '@/lib/domains/users/sign-in-alerts'
import { webhookAt } from '@/tests/support/channels'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { kim, providerSiteOfFile } from '@/tests/support/provider-site'

const { enter } = providerSiteOfFile()
const sent: ChannelMessage[] = []

beforeAll(async () => {
  await db().channel.deleteMany()
})
beforeEach(async () => {
  await flushRefusals()
  await db().auditEntry.deleteMany()
  sent.length = 0
})
afterAll(() => db().channel.deleteMany())

/** Sends what is due, as an engine does. */
const deliver = () =>
  deliverSignInAlerts(db(), (_channel, message) => {
    sent.push(message)
    const fine = { trouble: null, failure: null, status: 200, retryAfterSeconds: null }
    return Promise.resolve({ isAccepted: true, ...fine })
  })

/** Lets people of the provider come with this in place of their groups. */
async function refuse(count: number, groups: unknown): Promise<void> {
  for (let each = 0; each < count; each++) {
    const person = { ...kim, sub: `kim-${each}`, email: `kim-${each}@example.org`, groups }
    expect((await enter(person)).session).toBeNull()
  }
  await flushRefusals()
}

test('five refusals within an hour because nobody can know the groups are one message', async () => {
  const admin = await addPerson('admin')
  await channelVerbs.create(admin, webhookAt('http://127.0.0.1:9/hook'))
  await refuse(4, undefined)
  await refuse(5, ['visitors'])
  await deliver()
  expect(sent).toEqual([])
  await refuse(1, [{ id: 'staff' }])
  // Two servers at once, and again later.
  await Promise.all([deliver(), deliver()])
  await refuse(5, null)
  await deliver()
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({
    title: 'Sign-ins through single sign-on are refused',
    text: expect.stringMatching(/^5 sign-ins within an hour .*claim "groups"/),
    data: { type: 'sign-ins-refused', refusals: 5, claim: 'groups' },
  })
  expect(JSON.stringify(sent)).not.toContain('kim')
  expect(await db().auditEntry.findMany({ where: { action: 'sign-in.alert' } })).toMatchObject([
    { actorLabel: 'system', after: { refusals: 5, claim: 'groups' } },
  ])

  await db().$executeRaw`
    UPDATE audit_entries SET at = at - interval '61 minutes', "lastAt" = "lastAt" - interval '61 minutes'`
  await deliver()
  expect(sent).toHaveLength(1)
  await db().$executeRaw`
    UPDATE audit_entries SET "refusalKey" = 'earlier ' || "refusalKey" WHERE "refusalKey" IS NOT NULL`
  await refuse(5, 7)
  await deliver()
  expect(sent).toHaveLength(2)
})
