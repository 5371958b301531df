import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

/** Loads the check anew, because settings are read once. */
async function checkWith(proxies: number) {
  vi.resetModules()
  vi.stubEnv('DATABASE_URL', 'postgresql://localhost/none')
  vi.stubEnv('NEXTAUTH_SECRET', 'x'.repeat(32))
  vi.stubEnv('TOOLGATE_VAULT_KEY', Buffer.alloc(32).toString('base64'))
  vi.stubEnv('TOOLGATE_URL', 'http://localhost:3000')
  vi.stubEnv('TOOLGATE_TRUSTED_PROXIES', String(proxies))
  const { requireSameOrigin } = await import('./require-same-origin')
  return (headers: Record<string, string>) => requireSameOrigin(new Headers(headers))
}

test('a forwarded host counts as this site behind a proxy alone', async () => {
  const forwarded = {
    origin: 'https://evil.example',
    host: 'toolgate.example',
    'x-forwarded-host': 'evil.example',
  }
  const direct = await checkWith(0)
  expect(() => direct(forwarded)).toThrow('another site')
  expect(direct({ ...forwarded, origin: 'https://toolgate.example' })).toBe('toolgate.example')
  const behind = await checkWith(1)
  expect(behind(forwarded)).toBe('evil.example')
})
