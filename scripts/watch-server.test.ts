import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { StepError } from './steps/step.mjs'
import { watchServer } from './watch-server'

let root = ''
let stop = new AbortController()
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'watched-server-'))
  for (const folder of ['lib/tools', 'app']) mkdirSync(path.join(root, folder), { recursive: true })
  stop = new AbortController()
})
afterEach(() => {
  stop.abort()
  rmSync(root, { recursive: true })
})

const write = (file: string, text: string) => writeFileSync(path.join(root, file), text)

function watched() {
  const compile = vi.fn(async () => undefined as unknown)
  const changed = vi.fn()
  const folders = ['lib', 'app'].map((folder) => path.join(root, folder))
  watchServer(folders, stop.signal, compile, changed)
  return { compile, changed }
}

it('compiles once the files of a change settled, and not for tests, generated code and pages', async () => {
  write('app/page.tsx', "import { a } from '@toolgate/server/a'")
  const { compile, changed } = watched()
  write('lib/tools/count-words.ts', '')
  write('lib/tools/count-words.ts', 'export default 1')
  await expect.poll(() => changed.mock.calls.length).toBe(1)
  write('lib/tools/count-words.test.ts', 'a test')
  write('lib/tools/index.generated.ts', 'an index')
  write('app/page.tsx', "import { a } from '@toolgate/server/a'\n// changed")
  // As an editor marks a file that is open.
  symlinkSync('ada@host.42', path.join(root, 'lib/.#a.ts'))
  await sleep(600)
  expect(compile).toHaveBeenCalledTimes(1)
  write('app/page.tsx', "import { b } from '@toolgate/server/b'")
  await expect.poll(() => changed.mock.calls.length).toBe(2)
})

it('says why the sources cannot be compiled, and goes on watching', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue(undefined)
  const { compile, changed } = watched()
  compile.mockRejectedValueOnce(
    new StepError('It cannot be compiled.', 'Expected ";" but found "b"'),
  )
  write('lib/a.ts', 'a b')
  await expect
    .poll(() => said.mock.calls.join())
    .toContain('It cannot be compiled.\nExpected ";" but found "b"')
  expect(changed).not.toHaveBeenCalled()
  write('lib/a.ts', 'export const a = 1')
  await expect.poll(() => changed.mock.calls.length).toBe(1)
})
