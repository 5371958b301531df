import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request as open } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'playwright/test'
import { bodyLimit } from '@/lib/edge/request-limits'
import { readSite } from '../support/site'

const files = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|\/)(route\.ts|page\.tsx)$/.test(file))
  .map((file) => `/${file}`)

const anId = '01890000-0000-7000-8000-000000000000'

/** Every address that the folder `app` makes: routes, and pages, whose actions are sent to the page's own address. */
const ownPaths = [...files.map(addressOf), '/nowhere']

/** Those that nobody has to be signed in for. */
const strangersPaths = files.filter((file) => /^\/(\(auth\)|api\/auth)\//.test(file)).map(addressOf)

/** Returns the address with an id in place of each part that varies. */
function addressOf(file: string): string {
  return (
    file
      .replace(/\/(route\.ts|page\.tsx)$/, '')
      .replaceAll(/\/\([^/]+\)/g, '')
      .replace(/\/\[\[\.\.\.[^/]+\]\]/, '/nothing')
      .replace('[...nextauth]', 'callback/credentials')
      .replaceAll(/\[[^/]+\]/g, anId) || '/'
  )
}

type Sending = {
  headers: Record<string, string | number>
  body: (path: string) => Iterable<string>
}

/** Requests without an end: an answer that waits for one never comes. */
const endless: Record<'announced' | 'chunked' | 'slow', Sending & { status: number }> = {
  announced: {
    status: 413,
    headers: { 'content-length': 100 * 1024 * 1024 },
    body: () => ['x'],
  },
  chunked: {
    status: 413,
    headers: { 'transfer-encoding': 'chunked' },
    body: function* (path) {
      const piece = 'x'.repeat(16 * 1024)
      for (let sent = 0; sent <= bodyLimit(path); sent += piece.length) yield piece
    },
  },
  slow: { status: 408, headers: { 'content-length': 100 }, body: () => ['x'] },
}

type Answer = { status: number | undefined; type: string | undefined; body: string }

async function post(base: string, path: string, { headers, body }: Sending): Promise<Answer> {
  const sent = open(new URL(path, base), { method: 'POST', headers, agent: false })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject)
  })
  for (const part of body(path)) sent.write(part)
  const answer = await answered
  const read = await text(answer)
  sent.destroy()
  return { status: answer.statusCode, type: answer.headers['content-type'], body: read }
}

/** Returns how many milliseconds each health check took, asked every 50 ms while `work` goes on. */
async function healthDuring(base: string, work: Promise<unknown>): Promise<number[]> {
  const requests: Promise<number>[] = []
  const ask = async () => {
    const begun = performance.now()
    const answer = await fetch(`${base}/api/health`)
    expect(answer.status).toBe(200)
    return performance.now() - begun
  }
  const timer = setInterval(() => requests.push(ask()), 50)
  await work.finally(() => clearInterval(timer))
  return Promise.all(requests)
}

test('every address refuses a body that is too long or does not come, while the server works on', async ({
  request,
  baseURL,
}) => {
  const described = await (await request.get('/api/openapi.json')).json()
  const served = Object.keys(described.paths).map(
    (path) => `/api/v1${path.replaceAll(/\{[^}]+\}/g, anId)}`,
  )
  expect(served.length).toBeGreaterThan(30)
  const paths = [...new Set([...ownPaths, ...served])]
  expect(paths.length).toBeGreaterThan(80)
  expect(new Set(paths.map(bodyLimit))).toEqual(
    new Set([16, 1024, 5120, 20480, 51200].map((kib) => kib * 1024)),
  )
  for (const path of strangersPaths) expect(bodyLimit(path), path).toBe(16 * 1024)
  const refuse = async (path: string, how: keyof typeof endless) => {
    const { status, ...sending } = endless[how]
    const answer = await post(String(baseURL), path, sending)
    const what = `${path}, ${how}: ${answer.body}`
    expect(answer.status, what).toBe(status)
    expect(answer.type, what).toBe('application/problem+json')
    expect(JSON.parse(answer.body).detail, what).toMatch(
      /larger than \d+ [KM]iB|too long to arrive/,
    )
  }
  const table = async () => {
    const slow = paths.map((path) => refuse(path, 'slow'))
    for (const path of paths) {
      await refuse(path, 'announced')
      await refuse(path, 'chunked')
    }
    await Promise.all(slow)
  }
  const times = (await healthDuring(String(baseURL), table())).sort((a, b) => a - b)
  expect(times.length).toBeGreaterThan(50)
  // Half of them: other tests keep the machine busy. A server that stands still delays all that are asked meanwhile.
  expect(times[Math.floor(times.length / 2)]).toBeLessThan(250)
})

test('who is signed in may send as much as the address takes', async ({ request, baseURL }) => {
  const authorization = `Bearer ${readSite().adminKey}`
  const data = JSON.stringify({ configuration: 'none', prompt: 'x'.repeat(1_000_000) })
  const headers = { 'content-type': 'application/json', authorization }
  expect((await request.post('/api/v1/runs', { data, headers })).status()).toBe(422)
  const file = Buffer.alloc(4 * 1024 * 1024, 'x')
  const answer = await request.post('/api/skills/import?source=upload', {
    data: file,
    headers: { origin: String(baseURL) },
  })
  expect(answer.status()).toBe(422)
})

test('a site file may be longer than what a form sends', async ({ request, baseURL }) => {
  const headers = { origin: String(baseURL) }
  const text = `toolgate: 1\n# ${'x'.repeat(3_000_000)}\n`
  const post = (path: string, data: object) =>
    request.post(`/api/site-file/${path}`, { data, headers })
  const compared = await post('compare', { text })
  expect(await compared.json()).toMatchObject({ plan: { steps: [], problems: [] } })
  const outdated = await post('apply', { text, fingerprint: 'another', reason: 'As agreed.' })
  expect(await outdated.json()).toMatchObject({ type: 'outdated' })
  const tooLong = await post('compare', { text: 'x'.repeat(4_500_000) })
  expect(tooLong.status()).toBe(422)
  expect(await tooLong.text()).toContain('larger than 4 MiB')
})

test('an action that another site sent, or nobody says who, is refused without a word in the log', async ({
  baseURL,
}) => {
  for (const origin of [undefined, 'https://evil.example', 'null']) {
    for (const path of ['/sign-in', '/playground']) {
      const headers = new Headers({ 'next-action': '0'.repeat(42), 'content-type': 'text/plain' })
      if (origin) headers.set('origin', origin)
      const answer = await fetch(new URL(path, baseURL), { method: 'POST', body: '[]', headers })
      expect(answer.status).toBe(403)
      expect(await answer.text()).toMatch(/came from/)
    }
  }
  const log = await readFile(`.data/e2e/server-${readSite().port}.log`, 'utf8')
  expect(log).not.toMatch(/Invalid Server Actions request|evil\.example/)
})
