import { expect, test } from 'vitest'
import { isPublicHost, soundsInternal } from './classify-address'

test.each([
  ['8.8.8.8', true],
  ['[2606:4700::1111]', true],
  ['10.1.2.3', false],
  ['192.168.1.5', false],
  ['127.0.0.1', false],
  ['[::1]', false],
  ['169.254.1.1', false],
  ['[::ffff:10.0.0.1]', false],
  ['[::ffff:8.8.8.8]', true],
  ['localhost', false],
  ['no-such-host.invalid', true],
  ['no-such-host.internal', false],
])('%s is public: %s', async (host, answer) => {
  expect(await isPublicHost(host)).toBe(answer)
})

test.each([
  ['rack', true],
  ['models.local', true],
  ['models.internal', true],
  ['models.home.arpa', true],
  ['localhost', true],
  ['local.example.com', false],
  ['internal.example.com', false],
  ['notlocal', true],
  ['models.example.com', false],
])('%s sounds internal: %s', (name, answer) => {
  expect(soundsInternal(name)).toBe(answer)
})
