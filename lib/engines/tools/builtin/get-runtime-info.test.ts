import { expect, it } from 'vitest'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { memoryResources } from '@/tests/support/memory-resources'
import getRuntimeInfo from './get-runtime-info'
import getRuntimeInfoRaw from './get-runtime-info-raw'

const info = {
  ...memoryResources().runtimeInfo(),
  argv: [
    '/usr/bin/node',
    'server.js',
    '--token',
    'hunter2',
    '--api-key=abc',
    '--port=3000',
    'pg://u:s3cretpw@db/x',
    'top-secret-9',
  ],
}
const resources = {
  runtimeInfo: () => info,
  environment: () => ({ NEXTAUTH_SECRET: 'top-secret-9' }),
}

it('tells versions, load and uptime, and nothing that says where it runs', async () => {
  const { content } = await callToolDirectly(getRuntimeInfo, {}, resources)
  expect(content).toEqual({
    toolgateVersion: '0.0.0',
    nodeVersion: 'v20.19.0',
    platform: 'linux',
    arch: 'x64',
    uptimeSeconds: 1,
    memory: { residentBytes: 3, heapUsedBytes: 1, heapTotalBytes: 2 },
    cpus: 2,
  })
})

it('raw tells all of it, with the secrets of the command line hidden', async () => {
  const { content } = await callToolDirectly(getRuntimeInfoRaw, {}, resources)
  expect(content).toEqual({
    ...info,
    argv: [
      '/usr/bin/node',
      'server.js',
      '--token',
      '[redacted]',
      '--api-key=[redacted]',
      '--port=3000',
      'pg://[redacted]@db/x',
      '[redacted]',
    ],
  })
})
