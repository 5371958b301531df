import { expect, test } from 'vitest'
import { parseEnv } from '@/lib/kernel/env'
import { heapLimitMb } from './heap-limit'

const machine = (megabytes: number) => megabytes * 2 ** 20

test.each([
  ['half of a small machine', 1_024, 512],
  ['2,048 MB of a large machine', 65_536, 2_048],
  ['what a start needs, on a machine that has little more', 300, 256],
])('the heap of a server may be %s', (_title, memory, limit) => {
  expect(heapLimitMb(undefined, { nodeOptions: '', memoryBytes: machine(memory) })).toBe(limit)
})

test('the limit that the environment sets wins over the default', () => {
  expect(heapLimitMb(2_000, { memoryBytes: machine(1_024) })).toBe(2_000)
})

test('the options of Node keep a limit that they set, unless the environment sets one', () => {
  const nodeOptions = '--no-warnings --max_old_space_size=4096'
  expect(heapLimitMb(undefined, { nodeOptions })).toBeNull()
  expect(heapLimitMb(2_000, { nodeOptions })).toBe(2_000)
})

const base = {
  DATABASE_URL: 'postgresql://127.0.0.1/toolgate',
  NEXTAUTH_SECRET: 'x'.repeat(32),
  TOOLGATE_VAULT_KEY: Buffer.alloc(32).toString('base64'),
}

test.each(['255', 'much', '512.5', ''])(
  'the environment refuses %o as a limit, in words',
  (text) => {
    expect(() => parseEnv({ ...base, TOOLGATE_MEMORY_MB: text })).toThrow(
      'TOOLGATE_MEMORY_MB must be a whole number of megabytes, 256 or more',
    )
  },
)

test('the environment takes a limit, or none', () => {
  expect(parseEnv({ ...base, TOOLGATE_MEMORY_MB: '1024' }).TOOLGATE_MEMORY_MB).toBe(1_024)
  expect(parseEnv(base).TOOLGATE_MEMORY_MB).toBeUndefined()
})
