import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  checkedSocket,
  EgressError,
  egressConnector,
  type ResolveHost,
  requireReachable,
} from './egress-connector'

let server: Server
let port: number
const hosts: (string | undefined)[] = []

beforeAll(async () => {
  server = createServer((message, response) => {
    hosts.push(message.headers.host)
    response.end('here')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Gives the next of these answers each time it is asked. */
function resolver(...answers: string[][]) {
  const lookups: string[] = []
  const resolve: ResolveHost = (host, callback) => {
    const addresses = answers[lookups.push(host) - 1] ?? []
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    callback(null, found)
  }
  return { lookups, resolve }
}

async function ask(agent: Agent, host = 'provider.test'): Promise<string> {
  const answer = await agent.request({ origin: `http://${host}:${port}`, path: '/', method: 'GET' })
  return answer.body.text()
}

const agentOf = (privateAllowed: boolean, { resolve }: ReturnType<typeof resolver>) =>
  new Agent({ connections: 1, connect: egressConnector({ privateAllowed }, 1_000, resolve) })

describe('egressConnector', () => {
  it('connects to what it checked, once for many requests, under the name that was asked for', async () => {
    const names = resolver(['127.0.0.1'])
    const agent = agentOf(true, names)
    expect([await ask(agent), await ask(agent), await ask(agent)]).toEqual(['here', 'here', 'here'])
    expect(names.lookups).toEqual(['provider.test'])
    expect(hosts).toEqual(Array(3).fill(`provider.test:${port}`))
    await agent.close()
  })

  it.each([
    ['a private address that nobody allowed', false, ['10.0.0.1']],
    ['this machine', false, ['127.0.0.1']],
    ['a metadata service, whoever allows what', true, ['169.254.169.254']],
    ['one bad address among good ones', false, ['8.8.8.8', '127.0.0.1']],
    ['a mapped address', true, ['::ffff:169.254.169.254']],
  ])('refuses a name for %s', async (_, privateAllowed, addresses) => {
    const agent = agentOf(privateAllowed, resolver(addresses))
    await expect(ask(agent)).rejects.toThrow(EgressError)
    await agent.close()
  })

  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '169.254.169.254'])(
    'refuses the address %s',
    async (host) => {
      const names = resolver()
      const agent = agentOf(false, names)
      await expect(ask(agent, host)).rejects.toThrow(EgressError)
      await expect(requireReachable(`http://${host}`, { privateAllowed: false })).rejects.toThrow(
        EgressError,
      )
      expect(names.lookups).toEqual([])
      await agent.close()
    },
  )

  it('refuses every public address where data stays inside, before anything is sent', async () => {
    const rule = { privateAllowed: true, publicRefused: true }
    const names = resolver(['127.0.0.1'], ['8.8.8.8'], ['127.0.0.1', '8.8.8.8'])
    const open = () =>
      new Agent({ connections: 1, connect: egressConnector(rule, 1_000, names.resolve) })
    const agents = [open(), open(), open(), open()] as const
    expect(await ask(agents[0])).toBe('here')
    const refused = { refused: 'public', message: expect.stringContaining('Nothing was sent') }
    await expect(ask(agents[1])).rejects.toMatchObject(refused)
    await expect(ask(agents[2])).rejects.toMatchObject(refused)
    await expect(ask(agents[3], '8.8.8.8')).rejects.toMatchObject(refused)
    await Promise.all(agents.map((agent) => agent.close()))
  })

  it('checks again for each new connection: a name may lead elsewhere by then', async () => {
    const names = resolver(['127.0.0.1'], ['169.254.169.254'])
    const [first, second] = [agentOf(true, names), agentOf(true, names)]
    expect(await ask(first)).toBe('here')
    await expect(ask(second)).rejects.toThrow(EgressError)
    await first.close()
    await second.close()
  })

  it('names a host without an address as unknown', async () => {
    const agent = agentOf(false, resolver([]))
    await expect(ask(agent)).rejects.toMatchObject({ code: 'ENOTFOUND' })
    await agent.close()
  })
})

it('reaches over http and https alone', async () => {
  for (const url of ['ftp://8.8.8.8', 'file:///etc/passwd', 'gopher://8.8.8.8']) {
    await expect(requireReachable(url, { privateAllowed: true })).rejects.toMatchObject({
      refused: 'scheme',
    })
  }
  await expect(requireReachable('https://8.8.8.8', { privateAllowed: false })).resolves.toBe(
    undefined,
  )
})

describe('checkedSocket', () => {
  /** Returns how a client that connects the socket by itself fares. */
  const reach = (host: string, privateAllowed: boolean, names = resolver()) =>
    new Promise<unknown>((resolve) => {
      const socket = checkedSocket({ privateAllowed }, names.resolve)
      socket.connect(port, host)
      socket.once('error', resolve)
      socket.once('connect', () => resolve(socket.destroy().remoteAddress ?? 'connected'))
    })

  it('connects to what it checked, and resolves the name once', async () => {
    const names = resolver(['127.0.0.1'])
    expect(await reach('database.test', true, names)).not.toBeInstanceOf(Error)
    expect(names.lookups).toEqual(['database.test'])
  })

  it.each([
    ['an address on this machine that nobody allowed', '127.0.0.1', false, []],
    ['a metadata service, also when private addresses are allowed', '169.254.169.254', true, []],
    ['a name that leads to this machine', 'database.test', false, ['127.0.0.1']],
    ['a bad address among good ones', 'database.test', true, ['127.0.0.1', '169.254.169.254']],
  ])('refuses %s', async (_, host, privateAllowed, answers) => {
    expect(await reach(host, privateAllowed, resolver(answers))).toBeInstanceOf(EgressError)
  })

  it('has no way to a socket of this machine that is a file', async () => {
    const names = resolver(['169.254.169.254'])
    expect(await reach('/run/postgresql', true, names)).toBeInstanceOf(Error)
  })
})
