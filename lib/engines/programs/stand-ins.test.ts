import { execFileSync } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { standIns } from './stand-ins'

it('has settings that git reads as the format of a repository and nothing else', async () => {
  const { settings } = await standIns()
  const read = (file: string) =>
    execFileSync('git', ['config', '--file', file, '--list'], { encoding: 'utf8' })
  expect(read(settings({ objects: 'sha1', references: 'files' }))).toBe(
    'core.repositoryformatversion=0\n',
  )
  expect(read(settings({ objects: 'sha256', references: 'reftable' }))).toBe(
    'core.repositoryformatversion=1\nextensions.objectformat=sha256\nextensions.refstorage=reftable\n',
  )
})

it('is readable for every user, and is made again when somebody removed it', async () => {
  const before = await standIns()
  const folder = path.dirname(before.emptyFolder)
  expect(statSync(folder).mode & 0o777).toBe(0o755)
  expect(await standIns()).toMatchObject({ emptyFolder: before.emptyFolder })
  rmSync(folder, { recursive: true })
  const after = await standIns()
  expect(path.dirname(after.emptyFolder)).not.toBe(folder)
  expect(statSync(after.emptyFolder).isDirectory()).toBe(true)
})
