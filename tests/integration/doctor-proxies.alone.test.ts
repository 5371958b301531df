import { afterEach, expect, test, vi } from 'vitest'
import { clientAddress, installPeerAddress, peerAddressHeader } from '@/lib/auth/client-address'
import { readForwardedSeen } from '@/lib/auth/note-forwarded'
import { checkProxies } from '@/lib/doors/cli/doctor/examine-contents'
import { db } from '@/lib/kernel/db'

afterEach(() => vi.unstubAllEnvs())

test('the doctor says that requests name a proxy that is not trusted, once one did', async () => {
  expect(await checkProxies()).toMatchObject({ status: 'ok' })
  installPeerAddress()
  const headers = new Headers({ [peerAddressHeader]: '127.0.0.1' })
  expect(clientAddress(headers)).toBe('127.0.0.1')
  headers.set('x-toolgate-forwarded', 'yes')
  headers.set('x-forwarded-for', '198.51.100.7')
  for (let n = 0; n < 3; n += 1) expect(clientAddress(headers)).toBe('127.0.0.1')
  await expect.poll(readForwardedSeen).not.toBeNull()
  const finding = await checkProxies()
  expect(finding).toMatchObject({ check: 'Proxies', status: 'warn' })
  expect(finding.detail).toContain('no proxy is trusted')
  expect(finding.advice).toContain('TOOLGATE_TRUSTED_PROXIES')
  expect(JSON.stringify(await db().setting.findMany())).not.toContain('198.51')
  const muchLater = new Date(Date.now() + 8 * 86_400_000)
  expect(await checkProxies(muchLater)).toMatchObject({ status: 'ok' })
})
