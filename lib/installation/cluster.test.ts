import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { runBinary } from './cluster'

afterEach(() => vi.unstubAllEnvs())

describe('runBinary', () => {
  it('gives a program none of our secrets', async () => {
    vi.stubEnv('TOOLGATE_VAULT_KEY', 'a secret')
    vi.stubEnv('TZ', 'UTC')
    const folder = await mkdtemp(path.join(tmpdir(), 'toolgate-test-'))
    try {
      const file = path.join(folder, 'env')
      await runBinary('/bin/sh', ['-c', 'env > "$1"', 'sh', file], null)
      const seen = await readFile(file, 'utf8')
      expect(seen).toContain('TZ=UTC\n')
      expect(seen).toContain('LC_ALL=C\n')
      expect(seen).toContain('PATH=')
      expect(seen).not.toContain('TOOLGATE_')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('fails with what the program complained about', async () => {
    const failing = runBinary('/bin/sh', ['-c', 'echo no luck >&2; exit 3'], null)
    await expect(failing).rejects.toThrow(/^no luck$/)
  })
})
