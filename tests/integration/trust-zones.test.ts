import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { readConnection } from '@/lib/domains/connections/reads'
import type { CreateConnection, UpdateConnection } from '@/lib/domains/connections/schemas'
import { checkTrustZone } from '@/lib/domains/connections/trust-zone'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import { createConnection } from '@/lib/domains/connections/verbs'
import { checkTrustZones } from '@/lib/doors/cli/doctor/examine-contents'
import type { Ctx } from '@/lib/kernel/context'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { refusedFields } from '@/tests/support/refused-fields'
import { toolgate } from '@/tests/support/toolgate-process'

let admin: Ctx
beforeAll(async () => {
  admin = await addPerson('admin')
})

/** Public by its number; nothing is sent there. */
const host = '8.8.4.4'
const baseUrl = `https://${host}/v1`

const facts = (change: Partial<CreateConnection> = {}): CreateConnection => ({
  name: `Zone ${randomUUID()}`,
  wire: 'openai-compatible',
  baseUrl,
  trustZone: 'private',
  ...change,
})

const add = async (change: Partial<CreateConnection> = {}) =>
  (await createConnection(admin, facts(change))).id
const fieldsOf = async (refused: Promise<unknown>) => Object.keys(await refusedFields(refused))
const inside = { baseUrl: 'http://127.0.0.1:9/v1', privateAddressAllowed: true }
const change = (id: string, to: UpdateConnection) => updateConnection(admin, { id, ...to })
const zoneOf = async (id: string) => (await readConnection(admin, { id })).zone

describe('a trust zone that the address contradicts (SPEC A8)', () => {
  test('is refused until the host is typed and a reason given; both are audited and shown', async () => {
    expect(await fieldsOf(add())).toEqual(['confirmZone', 'reason'])
    expect(await fieldsOf(add({ confirmZone: '8.8.8.8', reason: 'Ours.' }))).toEqual([
      'confirmZone',
    ])
    expect(await fieldsOf(add({ confirmZone: host }))).toEqual(['reason'])
    const id = await add({ confirmZone: host, reason: 'Leased line to our own rack.' })
    expect(await zoneOf(id)).toMatchObject({
      type: 'confirmed',
      host,
      by: admin.actor.email,
      reason: 'Leased line to our own rack.',
    })
    const entry = await db().auditEntry.findFirstOrThrow({ where: { objectId: id } })
    expect(entry).toMatchObject({
      action: 'connection.create',
      reason: 'Leased line to our own rack.',
      after: { zoneConfirmedFor: host },
    })
  })

  test('needs no confirmation where the zone is external, or the address one’s own', async () => {
    expect(await zoneOf(await add({ trustZone: 'external-eu' }))).toEqual({ type: 'fits' })
    expect(await zoneOf(await add(inside))).toEqual({ type: 'fits' })
    expect(await zoneOf(await add({ baseUrl: 'http://rack:8000/v1' }))).toEqual({ type: 'fits' })
    const named = add({ baseUrl: 'https://models.example.invalid/v1' })
    expect(await fieldsOf(named)).toEqual(['confirmZone', 'reason'])
    const own = { wire: 'openai', baseUrl: null, trustZone: 'local' } as const
    expect(await fieldsOf(add(own))).toEqual(['confirmZone', 'reason'])
  })

  test('names both hosts when another one was typed, and calls none public that is not', async () => {
    const confirm = async (change: Partial<CreateConnection>) => {
      const typed = { confirmZone: 'rack.example.org', reason: 'Ours.' }
      return (await refusedFields(add({ ...change, ...typed }))).confirmZone
    }
    expect(await confirm(inside)).toBe(
      'You typed rack.example.org, but the address has the host 127.0.0.1. Its trust zone fits, so leave the confirmation empty.',
    )
    expect(await confirm({})).toMatch(
      /^You typed rack.example.org, but the address has the host 8.8.4.4. 8.8.4.4 is a public address/,
    )
  })

  test('is asked for anew with another host, and a confirmation does not follow', async () => {
    const id = await add({ confirmZone: host, reason: 'Ours.' })
    expect(await fieldsOf(change(id, { baseUrl: 'https://8.8.8.8/v1' }))).toEqual(['trustZone'])
    const moved = { baseUrl: 'https://8.8.8.8/v1', trustZone: 'private' } as const
    expect(await fieldsOf(change(id, moved))).toEqual(['confirmZone', 'reason'])
    expect(await zoneOf(id)).toMatchObject({ type: 'confirmed', host })
    // The same host at another port or path is the same host.
    expect(await change(id, { baseUrl: `https://${host}:8443/v2` })).toBe(true)
    expect(await zoneOf(id)).toMatchObject({ type: 'confirmed', host })
    const confirmed = { ...moved, confirmZone: '8.8.8.8', reason: 'Moved.' }
    expect(await change(id, confirmed)).toBe(true)
    expect(await zoneOf(id)).toMatchObject({ type: 'confirmed', host: '8.8.8.8' })
    expect(await fieldsOf(change(id, { trustZone: 'local', reason: 'More.' }))).toEqual([
      'confirmZone',
    ])
  })
})

describe('a stored connection that contradicts', () => {
  const stored = async () => {
    const id = await add({ trustZone: 'external-eu' })
    await db().connection.update({ where: { id }, data: { trustZone: 'private' } })
    return id
  }

  test('is marked, takes other changes, and can be confirmed', async () => {
    const id = await stored()
    expect(await zoneOf(id)).toEqual({ type: 'mismatch', host })
    const address = { wire: 'openai-compatible', baseUrl, settings: {} } as const
    expect(await checkTrustZone(admin, { ...address, trustZone: 'private' })).toBe(host)
    expect(await checkTrustZone(admin, { ...address, trustZone: 'external-eu' })).toBeNull()
    expect(await change(id, { maxTries: 2 })).toBe(true)
    expect(await zoneOf(id)).toEqual({ type: 'mismatch', host })
    const { name } = await readConnection(admin, { id })
    expect(await checkTrustZones()).toContainEqual(
      expect.objectContaining({ status: 'warn', detail: expect.stringContaining(name) }),
    )
    expect(await change(id, { confirmZone: host, reason: 'Checked.' })).toBe(true)
    expect(await zoneOf(id)).toMatchObject({ type: 'confirmed', reason: 'Checked.' })
    const words = JSON.stringify(await checkTrustZones())
    expect(words).not.toContain(name)
  })

  test('is confirmed from a terminal', async () => {
    const id = await stored()
    const command = ['connection', 'change', id, '--trust-zone', 'local', '--reason', 'Checked.']
    const refused = await toolgate(command)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(`--confirm-zone HOST`)
    expect((await toolgate([...command, '--confirm-zone', host])).code).toBe(0)
    expect(await zoneOf(id)).toMatchObject({ type: 'confirmed', trustZone: 'local' })
  })
})

test('a site file says the same, confirms, and has nothing left to do afterwards', async () => {
  const name = `File ${randomUUID()}`
  const file = (more: string) =>
    parseSiteFile(
      `toolgate: 1\nconnections: [{ name: ${name}, wire: openai-compatible, trustZone: private, ${more} }]`,
    )
  const plan = await planSite(admin, file(`baseUrl: "${baseUrl}"`))
  expect(plan.problems).toEqual([expect.stringContaining(`trustZoneConfirmed: { host: ${host}`)])
  const confirmed = `baseUrl: "${baseUrl}", trustZoneConfirmed: { host: ${host}, reason: Ours }`
  await applySite(admin, file(confirmed), { reason: 'From a file.' })
  expect((await planSite(admin, file(confirmed))).steps).toEqual([])
  const exported = parseSiteFile(await exportSite(admin))
  expect(exported.connections.find((each) => each.name === name)).toMatchObject({
    trustZoneConfirmed: { host, reason: 'Ours' },
  })
  const moved = parseSiteFile(
    `toolgate: 1\nconnections: [{ name: ${name}, baseUrl: "https://8.8.8.8/v1" }]`,
  )
  expect((await planSite(admin, moved)).problems).toEqual([expect.stringContaining('trustZone')])
})
