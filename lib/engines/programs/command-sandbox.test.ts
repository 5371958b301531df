import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { problemWith } from '@/tests/support/exec-elsewhere'
import { sandboxProblem } from './command-sandbox'

const folder = mkdtempSync(path.join(tmpdir(), 'bubblewrap-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Makes a program that writes this to its errors, and ends with a code. */
function says(words: string, code: number): string {
  const file = path.join(folder, `bwrap-${code}`)
  writeFileSync(file, `#!/bin/sh\necho '${words}' >&2\nexit ${code}\n`)
  chmodSync(file, 0o755)
  return file
}

const canTry = process.getuid?.() === 0 && (await sandboxProblem()) === null

describe.skipIf(!canTry)('a server has no sandbox, and says why, where bubblewrap', () => {
  it('is too old to forbid further namespaces', async () => {
    const old = says('bwrap: Unknown option --disable-userns', 1)
    expect(await problemWith(old)).toBe(
      'bubblewrap (bwrap) is too old on the server: programs need 0.8 or newer.',
    )
  })

  it('may make no namespaces', async () => {
    const forbidden = says('bwrap: Creating new namespace failed: Operation not permitted', 1)
    expect(await problemWith(forbidden)).toContain('forbids user namespaces')
  })

  it('finds no program that becomes another user', async () => {
    const missing = says('bwrap: execvp setpriv: No such file or directory', 1)
    expect(await problemWith(missing)).toContain('setpriv (util-linux) is not installed')
  })

  it('is missing', async () => {
    expect(await problemWith(says('', 127))).toBe(
      'bubblewrap (bwrap) is not installed on the server.',
    )
  })
})
