import { beforeAll, expect, test } from 'vitest'
import { askForHost, declineHostRequest, listHostRequests } from '@/lib/domains/hosts/requests'
import { hostVerbs } from '@/lib/domains/hosts/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { readPresentNeeds } from '@/lib/toolset/policy/tool-needs'
import { addPerson } from '@/tests/support/people'
import { refusedFields } from '@/tests/support/refused-fields'
import { toolgate } from '@/tests/support/toolgate-process'

let admin: Ctx
let member: Ctx

beforeAll(async () => {
  ;[admin, member] = await Promise.all([addPerson('admin'), addPerson('member')])
})

test('a host has one form, by which it is found, and which nothing else has', async () => {
  const { id } = await hostVerbs.create(admin, { name: ' HTTPS://Bücher.Example:443/ ' })
  expect(await hostVerbs.read(admin, { id })).toMatchObject({
    name: 'https://xn--bcher-kva.example',
    privateAddressAllowed: false,
    enabled: true,
  })
  expect((await hostVerbs.read(admin, { id: 'https://bücher.example' })).id).toBe(id)
  const again = hostVerbs.create(admin, { name: 'https://xn--bcher-kva.example' })
  await expect(again).rejects.toMatchObject({ code: 'conflict' })
  await hostVerbs.remove(admin, { id: 'https://bücher.example/' })
  expect(await db().host.count({ where: { id } })).toBe(0)
})

test('only admins add hosts', async () => {
  const add = hostVerbs.create(member, { name: 'https://member.example' })
  await expect(add).rejects.toMatchObject({ code: 'forbidden' })
  expect(await db().host.count({ where: { name: 'https://member.example' } })).toBe(0)
})

test('an address in a private network is allowed on the host, a metadata service never', async () => {
  const own = { name: 'http://127.0.0.1:8080' }
  expect(await refusedFields(hostVerbs.create(admin, own))).toHaveProperty('privateAddressAllowed')
  const { id } = await hostVerbs.create(admin, { ...own, privateAddressAllowed: true })
  const moved = hostVerbs.update(admin, { id, privateAddressAllowed: false })
  expect(await refusedFields(moved)).toHaveProperty('privateAddressAllowed')
  const cloud = { name: 'http://169.254.169.254', privateAddressAllowed: true }
  expect(await refusedFields(hostVerbs.create(admin, cloud))).toHaveProperty('name')
  await hostVerbs.remove(admin, { id })
})

test('tools that need a host have one while one is switched on', async () => {
  const { id } = await hostVerbs.create(admin, { name: 'https://*.needs.example' })
  expect(await readPresentNeeds(db())).toContain('host')
  await hostVerbs.update(admin, { id, enabled: false })
  expect(await readPresentNeeds(db())).not.toContain('host')
  await hostVerbs.remove(admin, { id })
})

test('commands add, list and delete a host by its origin, and a site file names it in any form', async () => {
  const added = await toolgate(['host', 'add', 'https://Docs.example', '--note', 'Manuals'])
  expect(added).toMatchObject({ code: 0, stderr: '' })
  expect((await toolgate(['host', 'list'])).stdout).toMatch(
    /https:\/\/docs\.example +on +blocked +Manuals/,
  )
  expect((await toolgate(['host', 'delete', 'https://docs.example:443'])).code).toBe(0)
  const wrong = await toolgate(['host', 'add', 'docs.example'])
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  const file = parseSiteFile('toolgate: 2\nhosts: [{ name: "https://DOCS.example/" }]')
  expect(file.hosts).toEqual([{ name: 'https://docs.example' }])
})

test('people ask for a host once each, and an admin lists it or declines', async () => {
  const ask = (who: Ctx, origin = 'https://Asked.example:443/') => askForHost(who, { origin })
  const other = await addPerson('member')
  for (const who of [member, member, other]) expect(await ask(who)).toEqual({ isListed: false })
  await ask(member, 'https://less.example')
  const [most, less] = await listHostRequests(admin, {})
  expect(most).toMatchObject({
    origin: 'https://asked.example',
    people: [member.actor.email, other.actor.email],
  })
  const { id } = await hostVerbs.create(admin, { name: 'https://asked.example' })
  expect(await ask(member)).toEqual({ isListed: true })
  expect((await listHostRequests(admin, {})).map(({ origin }) => origin)).toEqual([
    'https://less.example',
  ])
  await declineHostRequest(admin, { id: less?.id ?? '' })
  expect(await listHostRequests(admin, {})).toEqual([])
  const trail = await db().auditEntry.findMany({
    where: { action: { in: ['host.ask', 'host.decline'] } },
    orderBy: { at: 'asc' },
    select: { action: true },
  })
  expect(trail.map(({ action }) => action)).toEqual([
    'host.ask',
    'host.ask',
    'host.ask',
    'host.decline',
  ])
  await hostVerbs.remove(admin, { id })
})

test('requests have an end, and members neither see nor decline them', async () => {
  const request = Array.from({ length: 100 }, (_, index) => `https://host-${index}.example`)
  for (const origin of request) await askForHost(member, { origin })
  const next = askForHost(member, { origin: 'https://one-more.example' })
  await expect(next).rejects.toMatchObject({ code: 'conflict' })
  const [first] = await listHostRequests(admin, {})
  const declined = declineHostRequest(member, { id: first?.id ?? '' })
  await expect(declined).rejects.toMatchObject({ code: 'forbidden' })
  await expect(listHostRequests(member, {})).rejects.toMatchObject({ code: 'forbidden' })
  expect(await refusedFields(askForHost(member, { origin: 'example' }))).toHaveProperty('origin')
})
