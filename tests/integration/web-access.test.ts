import { beforeAll, expect, test } from 'vitest'
import { hostVerbs } from '@/lib/domains/hosts/verbs'
import { type WebAccess, webBudget } from '@/lib/engines/tools/tool-resources'
import { readWeb } from '@/lib/engines/tools/web/ask-web'
import type { Ctx } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/new-id'
import { webAccess } from '@/lib/toolset/ports/web'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { inPieces, type Served, sends, startWebServer } from '@/tests/support/web-server'

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
  const requested = Array.from({ length: 12 }, () =>
    web.reserve({ runId, host: 'a', bytes: 9 * mebibyte }),
  )
  const got = await Promise.all(requested)
  const granted = got.map((each) => (each.type === 'reserved' ? each.bytes : 0))
  expect(granted.reduce((sum, bytes) => sum + bytes, 0)).toBe(webBudget.bytes)
  expect(granted.filter((bytes) => bytes > 0)).toHaveLength(6)
  expect(got.filter((each) => each.type === 'refused' && each.why === 'bytes')).toHaveLength(6)
  await web.settle({ runId, reserved: 9 * mebibyte, used: mebibyte })
  expect(await web.reserve({ runId, host: 'a', bytes: 9 * mebibyte })).toEqual({
    type: 'reserved',
    bytes: 8 * mebibyte,
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

test('a read for a run that does not exist is refused', async () => {
  const use = { host: 'a', bytes: 1 }
  const refused = { type: 'refused', why: 'unknown' }
  expect(await web.reserve({ ...use, runId: newId() })).toEqual(refused)
  expect(await web.reserve({ ...use, runId: 'no-run' })).toEqual(refused)
})

/** Reads an address twenty times at once in one run, and says how each ended and what was noted. */
async function readAtOnce(page: Served) {
  const server = await startWebServer({ '/page': page })
  await hostVerbs.create(admin, { name: server.origin, privateAddressAllowed: true })
  const runId = await addRun()
  const noted = async () => Number((await db().runWebUse.findUnique({ where: { runId } }))?.bytes)
  let [held, mostHeld, mostNoted] = [0, 0, 0]
  const watched: WebAccess = {
    ...web,
    reserve: async (use) => {
      const reserved = await web.reserve(use)
      if (reserved.type === 'reserved') held += reserved.bytes
      mostHeld = Math.max(mostHeld, held)
      mostNoted = Math.max(mostNoted, await noted())
      return reserved
    },
    settle: async (use) => {
      held -= use.reserved - use.used
      await web.settle(use)
    },
  }
  const asker = { runId, person: 'ada', web: watched, signal: new AbortController().signal }
  const reading = Array.from({ length: 20 }, () =>
    readWeb(`${server.origin}/page`, asker).then(
      ({ content }) => content.length,
      ({ code }) => String(code),
    ),
  )
  const ended = await Promise.all(reading)
  await server.close()
  return { ended, noted: await noted(), mostHeld, mostNoted }
}

test.each([
  ['whose length is known', sends('small')],
  ['whose length is not known', inPieces(Buffer.from('small'))],
])('twenty small pages are read at the same time, %s', async (_what, page) => {
  const { ended, noted } = await readAtOnce(page)
  expect(ended).toEqual(Array(20).fill(5))
  expect(noted).toBe(100)
})

test.each([
  ['whose length is known', sends(Buffer.alloc(9 * mebibyte)), 5],
  ['whose length is not known', inPieces(Buffer.alloc(9 * mebibyte)), 0],
])(
  'twenty large pages at the same time are never more than the run may read, %s',
  async (_what, page, least) => {
    const { ended, noted, mostHeld, mostNoted } = await readAtOnce(page)
    const read = ended.filter((each) => each === 9 * mebibyte)
    expect(read.length).toBeGreaterThanOrEqual(least)
    expect(read.length).toBeLessThanOrEqual(5)
    expect(ended.filter((each) => each === 'web-budget')).toHaveLength(20 - read.length)
    expect(noted).toBeGreaterThanOrEqual(read.length * 9 * mebibyte)
    for (const most of [noted, mostHeld, mostNoted])
      expect(most).toBeLessThanOrEqual(webBudget.bytes)
  },
)
