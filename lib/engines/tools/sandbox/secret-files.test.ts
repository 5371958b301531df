import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findCoveredPlaces } from './secret-files'

let root: string
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'covered-'))
})
afterEach(() => void execFileSync('rm', ['-rf', root]))

function write(...places: string[]): void {
  for (const place of places) {
    mkdirSync(path.dirname(path.join(root, place)), { recursive: true })
    writeFileSync(path.join(root, place), '')
  }
}
const repository = (place: string) => [`${place}/HEAD`, `${place}/objects/x`, `${place}/refs/x`]

it('finds secrets and repositories in one walk, and takes branches below .git for no secrets', async () => {
  write('.env', 'keys/.ssh/config', '.git/config', '.git/refs/heads/secrets', '.git/hooks/x')
  write(...repository('.git'), ...repository('bare'), 'bare/config', 'part/.git')
  const found = await findCoveredPlaces(root)
  expect(found.files).toEqual(['.env'])
  expect(found.folders).toEqual(['keys/.ssh'])
  expect(found.replaced.map(({ place }) => place).sort()).toEqual([
    '.git/config',
    '.git/hooks',
    'bare/config',
  ])
  expect(found.repositories.sort()).toEqual(['.git', 'bare', 'part/.git'])
})

it('leaves folders alone that only have some names of a repository', async () => {
  write('config', 'app/config/x', 'app/objects/x', 'app/hooks/x', 'lib/refs/x', 'lib/HEAD')
  expect(await findCoveredPlaces(root)).toMatchObject({ replaced: [], repositories: [] })
})

it('hides repositories whose settings are missing, or spelled as other file systems read them', async () => {
  write(...repository('missing'), ...repository('spelled'), 'spelled/CONFIG')
  const { replaced } = await findCoveredPlaces(root)
  expect(replaced.toSorted((a, b) => (a.place < b.place ? -1 : 1))).toEqual([
    { place: 'missing', by: 'empty-folder' },
    { place: 'spelled', by: 'empty-folder' },
  ])
})

it('says which folder keeps programs from running, because its name is no text and would be looked for in vain', async () => {
  mkdirSync(Buffer.concat([Buffer.from(`${root}/a`), Buffer.from([0xff])]))
  await expect(findCoveredPlaces(root)).rejects.toMatchObject({
    code: 'workspace-unreadable',
    message: expect.stringContaining('read "a\uFFFD"'),
  })
})
