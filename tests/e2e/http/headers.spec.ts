import { expect, test } from 'playwright/test'

const tricks: Record<string, string>[] = [
  {},
  { 'next-router-prefetch': '1' },
  { purpose: 'prefetch' },
  { rsc: '1', 'next-router-state-tree': '%5B%22%22%2C%7B%7D%5D' },
  { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' },
  { 'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware' },
  { 'x-middleware-prefetch': '1' },
  { 'x-middleware-override-headers': 'cookie', 'x-middleware-request-cookie': 'a=b' },
  { 'x-nextjs-data': '1' },
  { cookie: 'next-auth.session-token=forged.token.here' },
  { 'x-toolgate-path': '/sign-in' },
]

test('no header opens a page, a stream or the API without a session', async ({
  playwright,
  baseURL,
}) => {
  const client = await playwright.request.newContext({
    baseURL,
    storageState: { cookies: [], origins: [] },
  })
  for (const headers of tricks) {
    for (const path of ['/', '/playground', '/tools', '/runs', '/runs/none']) {
      const answer = await client.get(path, { headers, maxRedirects: 0 })
      const what = `${path} with ${JSON.stringify(headers)}`
      expect(answer.status(), what).toBe(307)
      expect(answer.headers().location, what).toContain('/sign-in')
      expect(await answer.text(), what).not.toMatch(/tools on|fetch_logs|Search runs/)
    }
    const id = '01890000-0000-7000-8000-000000000000'
    for (const path of ['/api/v1/runs', '/api/v1/tools', `/api/runs/${id}/events`]) {
      // Some headers make the framework redirect first, or answer with nothing at all by itself.
      const answer = await client.get(path, { headers })
      const nothing =
        answer.headers()['x-middleware-skip'] === '1' && (await answer.text()) === '{}'
      const what = `${path} with ${JSON.stringify(headers)}`
      expect(nothing ? 401 : answer.status(), what).toBe(401)
    }
  }
  await client.dispose()
})

test('every answer carries the security headers, every page a policy with its own nonce', async ({
  request,
}) => {
  const policies = new Set<string>()
  for (const path of ['/playground', '/tools', '/runs', '/sign-in']) {
    const headers = (await request.get(path, { maxRedirects: 0 })).headers()
    expect(headers['x-content-type-options'], path).toBe('nosniff')
    expect(headers['x-frame-options'], path).toBe('DENY')
    expect(headers['referrer-policy'], path).toBe('same-origin')
    expect(headers['cross-origin-opener-policy'], path).toBe('same-origin')
    expect(headers['permissions-policy'], path).toContain('camera=()')
    expect(headers['x-powered-by'], path).toBeUndefined()
    const policy = headers['content-security-policy'] ?? ''
    expect(policy, path).toMatch(/script-src 'self' 'nonce-[\w+/=]+' 'strict-dynamic';/)
    expect(policy, path).not.toMatch(/script-src[^;]*unsafe|style-src [^;]*unsafe/)
    for (const part of ["default-src 'self'", "object-src 'none'", "base-uri 'none'"]) {
      expect(policy, path).toContain(part)
    }
    expect(policy, path).toContain("frame-ancestors 'none'")
    policies.add(policy)
  }
  expect(policies.size).toBe(4)
})

test('what is no page runs, loads and frames nothing, whatever a browser takes it for', async ({
  playwright,
  request,
  baseURL,
}) => {
  const page = await (await request.get('/sign-in')).text()
  const script = /\/_next\/static\/[^"]+\.js/.exec(page)?.[0] ?? ''
  expect(script).not.toBe('')
  const stranger = await playwright.request.newContext({
    baseURL,
    storageState: { cookies: [], origins: [] },
  })
  const { csrfToken } = await (await stranger.get('/api/auth/csrf')).json()
  const headers = { origin: baseURL ?? '' }
  const answers = {
    'a script': await request.get(script),
    'a script that is gone': await request.get('/_next/static/gone.js'),
    'the icon': await request.get('/icon.svg'),
    'an answer of the API': await request.get('/api/v1/tools'),
    'a refusal of the API': await stranger.get('/api/v1/tools'),
    'an address nobody serves': await stranger.get('/api/v1/nowhere'),
    'an address that is none': await stranger.get('/api/v1/%'),
    'a way to the sign-in page': await stranger.get('/runs', { maxRedirects: 0 }),
    'a form of another site': await stranger.post('/runs', {
      headers: { origin: 'https://evil.example' },
    }),
    'a sign-out': await stranger.post('/api/auth/signout', {
      form: { csrfToken, json: 'true' },
      headers,
    }),
    'a refused sign-in': await stranger.post('/api/auth/callback/credentials', {
      form: { csrfToken, json: 'true', email: 'nobody@example.org', password: 'a guess' },
      headers,
    }),
  }
  for (const [what, answer] of Object.entries(answers)) {
    const { 'content-security-policy': policy, 'x-content-type-options': sniff } = answer.headers()
    const forWorkers = what.startsWith('a script') ? " script-src 'self'; connect-src 'self';" : ''
    expect([what, sniff, policy]).toEqual([
      what,
      'nosniff',
      `default-src 'none';${forWorkers} frame-ancestors 'none'`,
    ])
  }
  await stranger.dispose()
})

test('health and readiness answer without a session and tell no secrets', async ({ request }) => {
  expect(await (await request.get('/api/health')).json()).toEqual({ status: 'ok' })
  expect(await (await request.get('/api/ready')).json()).toEqual({
    status: 'ready',
    checks: { database: 'ok', engine: 'ok' },
    server: expect.any(String),
  })
})
