import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '@/lib/installation/embedded-postgres'
import { type StandaloneServer, startStandaloneServer } from '@/tests/support/standalone-server'

/** `npm run proof` measures the built server; a machine that is busy with something else shows nothing. */
const full = process.env.TOOLGATE_FULL_PROOF === '1'
const atOnce = 10
const mostMoreMs = 100

let server: StandaloneServer

beforeAll(async () => {
  if (full) server = await startStandaloneServer(await freePort(0), {})
})

afterAll(async () => {
  await server?.stop()
})

/** Sends a request as it is, and returns the status of its answer. */
async function send(target: string, headers: Record<string, string> = {}): Promise<number> {
  const { hostname, port, host } = new URL(server.baseUrl)
  const sent = { host, connection: 'close', ...headers }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return Number((await text(socket)).split(' ')[1])
}

/** Returns how long the slowest health check took, one after the other until `work` is done. */
async function slowestHealth(work: Promise<unknown>): Promise<number> {
  let slowest = 0
  let isDone = false
  const end = () => {
    isDone = true
  }
  work.then(end, end)
  while (!isDone) {
    const begun = performance.now()
    expect((await fetch(`${server.baseUrl}/api/health`)).status).toBe(200)
    slowest = Math.max(slowest, performance.now() - begun)
    await sleep(5)
  }
  await work
  return slowest
}

const many = (count: number, part: (at: number) => string, between: string) =>
  Array.from({ length: count }, (_, at) => part(at)).join(between)
const fields = many(7_400, () => 'a', '&')
const cookies = many(2_400, (at) => `${at.toString(36)}=1`, '; ')
const state = `${'["",{"a":'.repeat(1_200)}["",{}]${'}]'.repeat(1_200)}`

const attacks: readonly [what: string, status: number, run: () => Promise<number>][] = [
  ['fields of the sign-in page', 414, () => send(`/sign-in?${fields}`)],
  ['names of fields', 414, () => send(`/sign-in?${many(3_500, (at) => at.toString(36), '&')}`)],
  ['fields of the health check', 414, () => send(`/api/health?${fields}`)],
  ['fields of the API', 414, () => send(`/api/v1/runs?${fields}`)],
  ['fields of a sign-in', 414, () => send(`/api/auth/callback/oidc?${fields}`)],
  [
    'fields of another protocol',
    414,
    () => send(`/sign-in?${fields}`, { connection: 'upgrade', upgrade: 'websocket' }),
  ],
  ['cookies of a sign-in', 431, () => send('/api/auth/session', { cookie: cookies })],
  ['a deep state of the router', 400, () => send('/sign-in', { 'next-router-state-tree': state })],
]

test.skipIf(!full).each(attacks)(
  `${atOnce} requests at once with too many %s are refused, and keep nobody else waiting`,
  async (what, status, run) => {
    await slowestHealth(sleep(500))
    let [before, beside] = [0, 0]
    // Up to three times, because what else the machine does is no fault of the server.
    for (let tries = 3; tries > 0; tries--) {
      before = await slowestHealth(sleep(1_000))
      const flood = async () => {
        const statuses = await Promise.all(Array.from({ length: atOnce }, run))
        expect(statuses).toEqual(Array.from({ length: atOnce }, () => status))
      }
      beside = await slowestHealth(flood())
      if (beside <= before + mostMoreMs) break
    }
    console.log(
      `${what}: health within ${before.toFixed(0)} ms before, ${beside.toFixed(0)} ms beside`,
    )
    expect(beside).toBeLessThanOrEqual(before + mostMoreMs)
  },
)
