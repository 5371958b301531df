import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  addressPrefix,
  forwardedHeader,
  installPeerAddress,
  peerAddressHeader,
} from './client-address'

const environment = {
  DATABASE_URL: 'postgresql://localhost/none',
  NEXTAUTH_SECRET: 'x'.repeat(32),
  TOOLGATE_VAULT_KEY: Buffer.alloc(32).toString('base64'),
}

/** Returns a fresh copy of the module, as in a process that trusts this many proxies. */
async function moduleAt(proxies: number, site = 'http://localhost:3000', peerKnown = true) {
  vi.resetModules()
  // There is no database to note it in.
  vi.doMock('./note-forwarded', () => ({ noteForwarded: () => undefined }))
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  vi.stubEnv('TOOLGATE_TRUSTED_PROXIES', String(proxies))
  vi.stubEnv('TOOLGATE_URL', site)
  const module = await import('./client-address')
  if (peerKnown) module.installPeerAddress()
  return module
}

async function addressOf(proxies: number, headers: Record<string, string>, peerKnown = true) {
  const { clientAddress } = await moduleAt(proxies, undefined, peerKnown)
  return clientAddress(new Headers(headers))
}

afterEach(() => {
  vi.unstubAllEnvs()
  vi.doUnmock('./note-forwarded')
})

describe('clientAddress', () => {
  const peer = { 'x-toolgate-peer': '::ffff:203.0.113.7' }

  test('is the address of the socket, whatever the client claims', async () => {
    expect(await addressOf(0, { ...peer, 'x-forwarded-for': '10.0.0.1' })).toBe('203.0.113.7')
  })

  test('is unknown when the address of the socket was not stored', async () => {
    const forged = { 'x-toolgate-peer': '10.0.0.1', 'x-forwarded-for': '10.0.0.1' }
    expect(await addressOf(0, forged, false)).toBeNull()
  })

  test('counts proxies of ours from the right', async () => {
    const chain = { ...peer, 'x-forwarded-for': '6.6.6.6, 198.51.100.2, 10.0.0.9' }
    expect(await addressOf(1, chain)).toBe('10.0.0.9')
    expect(await addressOf(2, chain)).toBe('198.51.100.2')
    expect(await addressOf(5, chain)).toBe('6.6.6.6')
  })

  test('falls back to the socket when the header holds no address', async () => {
    expect(await addressOf(1, { ...peer, 'x-forwarded-for': 'unknown' })).toBe('203.0.113.7')
    expect(await addressOf(1, peer)).toBe('203.0.113.7')
  })

  test('reads an IPv6 address in brackets', async () => {
    expect(await addressOf(1, { 'x-forwarded-for': '[2001:db8::1]:4711' })).toBe('2001:db8::1')
  })
})

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:0db8:0001:0002:3:4:5:6', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
])('the prefix of %s is %s', (address, prefix) => {
  expect(addressPrefix(address)).toBe(prefix)
})

describe('countedAddress', () => {
  const person = { 'x-toolgate-peer': '203.0.113.7' }
  const cases: [string, string, number, Record<string, string>, string | null][] = [
    ['a direct request', 'http://tools.example.org', 0, person, '203.0.113.7'],
    [
      'a neighbour',
      'http://192.168.1.2:3000',
      0,
      { 'x-toolgate-peer': '192.168.1.9' },
      '192.168.1.9',
    ],
    ['this machine', 'http://localhost:3000', 0, { 'x-toolgate-peer': '127.0.0.1' }, '127.0.0.1'],
    [
      'a proxy that says so',
      'http://localhost',
      0,
      { 'x-toolgate-peer': '10.0.0.2', 'x-toolgate-forwarded': 'yes' },
      null,
    ],
    [
      'a person who made the header of a proxy up',
      'http://tools.example.org',
      0,
      { ...person, 'x-toolgate-forwarded': 'yes' },
      '203.0.113.7',
    ],
    ['a proxy that ends https', 'https://tools.example.org', 0, person, null],
    ['a silent proxy', 'http://tools.example.org', 0, { 'x-toolgate-peer': '127.0.0.1' }, null],
    [
      'a container’s bridge',
      'http://tools.example.org',
      0,
      { 'x-toolgate-peer': '172.17.0.1' },
      null,
    ],
    [
      'a trusted proxy',
      'https://tools.example.org',
      1,
      { 'x-forwarded-for': '198.51.100.2' },
      '198.51.100.2',
    ],
  ]
  test.each(cases)('of %s', async (_what, site, proxies, headers, expected) => {
    const { countedAddress } = await moduleAt(proxies, site)
    expect(countedAddress(new Headers(headers))).toBe(expected)
  })
})

test('the socket, and whether a proxy named a client, is written over what the client claims', async () => {
  installPeerAddress()
  const server = createServer((request, response) => {
    const { [peerAddressHeader]: peer, [forwardedHeader]: forwarded } = request.headers
    response.end(`${peer} ${forwarded}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const answerTo = async (headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${port}/`, { headers })).text()
    const forged = { [peerAddressHeader]: '6.6.6.6', [forwardedHeader]: 'yes' }
    expect(await answerTo(forged)).toBe('127.0.0.1 undefined')
    expect(await answerTo({ 'X-Forwarded-For': '6.6.6.6' })).toBe('127.0.0.1 yes')
  } finally {
    server.close()
  }
})
