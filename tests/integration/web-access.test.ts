import { beforeAll, expect, test } from 'vitest'
import { hostVerbs } from '@/lib/domains/hosts/verbs'
import { type WebAccess, webBudget } from '@/lib/engines/tools/tool-resources'
import type { Ctx } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/new-id'
import { webAccess } from '@/lib/toolset/resources/web'
import { db } from '../support/fixture-db'
import { addPerson } from '../support/people'

const mebibyte = 1024 * 1024
let admin: Ctx
let web: WebAccess

beforeAll(async () => {
  admin = await addPerson('admin')
  web = webAccess(db())
})

async function addRun(): Promise<string> {
  const { id } = await db().run.create({
    data: { userId: admin.actor.userId, status: 'running', request: {}, prompt: 'Read.' },
  })
  return id
}

test('the most exact host decides, also when it is switched off', async () => {
  const add = (name: string, more = {}) => hostVerbs.create(admin, { name, ...more })
  await add('https://*.example.org', { privateAddressAllowed: true })
  await add('https://off.example.org', { enabled: false })
  const find = (...origins: string[]) => web.findHost(origins)
  const below = 'https://*.example.org'
  expect(await find('https://a.example.org', below)).toEqual({ privateAddressAllowed: true })
  expect(await find('https://off.example.org', below)).toBeNull()
  expect(await find('https://example.org')).toBeNull()
  expect(await find('https://EXAMPLE.org', 'https://*.example.org/')).toBeNull()
})

test('calls at the same time never get more than the run may read', async () => {
  const runId = await addRun()
  const asked = Array.from({ length: 12 }, () =>
    web.reserve({ runId, host: 'a', bytes: 9 * mebibyte }),
  )
  const got = await Promise.all(asked)
  const granted = got.map((each) => (each.type === 'reserved' ? each.bytes : 0))
  expect(granted.reduce((sum, bytes) => sum + bytes, 0)).toBe(webBudget.bytes)
  expect(granted.filter((bytes) => bytes > 0)).toHaveLength(6)
  expect(got.filter((each) => each.type === 'refused' && each.why === 'bytes')).toHaveLength(6)
  await web.settle({ runId, reserved: 9 * mebibyte, used: mebibyte })
  expect(await web.reserve({ runId, host: 'a', bytes: 9 * mebibyte })).toEqual({
    ...{ type: 'reserved', bytes: 8 * mebibyte },
  })
})

test('calls at the same time never read more hosts than the run may', async () => {
  const runId = await addRun()
  const hosts = Array.from({ length: 25 }, (_, index) => `host-${index}`)
  const got = await Promise.all(hosts.map((host) => web.reserve({ runId, host, bytes: 0 })))
  expect(got.filter(({ type }) => type === 'reserved')).toHaveLength(webBudget.hosts)
  expect(got.filter((each) => each.type === 'refused' && each.why === 'hosts')).toHaveLength(5)
  const known = hosts[got.findIndex(({ type }) => type === 'reserved')] ?? ''
  expect(await web.reserve({ runId, host: known, bytes: 1 })).toMatchObject({ type: 'reserved' })
})

test('nothing is read for a run that cannot be noted', async () => {
  const use = { host: 'a', bytes: 1 }
  const refused = { type: 'refused', why: 'unknown' }
  expect(await web.reserve({ ...use, runId: newId() })).toEqual(refused)
  expect(await web.reserve({ ...use, runId: 'no-run' })).toEqual(refused)
})
