import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setToolOverride } from '@/lib/domains/tool-settings/verbs'
import { db } from '@/tests/support/fixture-db'
import { addJudge, verdict } from '@/tests/support/judge-site'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addRunSite, type RunSite } from '@/tests/support/run-site'
import { toolgate } from '@/tests/support/toolgate-process'

let server: ModelServer
let site: RunSite
let folder: string

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(server.url)
  folder = await mkdtemp(join(tmpdir(), 'checks-'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

test('a check is saved, run and judged in the terminal, and its exit code says how it ended', async () => {
  const prompt = '[[call list_groups {}]] [[then]] [[say: ok]]'
  await toolgate(['run', '--configuration', site.configuration, '--prompt', prompt])
  const { id } = await db().run.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
  const added = await toolgate(['check', 'add', '--from-run', id, '--name', 'Looks & says'])
  expect(added).toMatchObject({ code: 0, stderr: '' })
  expect(added.stdout).toContain('- Calls list_groups at least once\n')
  expect((await toolgate(['check', 'list'])).stdout).toMatch(/^Looks & says +Local /m)

  const file = join(folder, 'checks.xml')
  const green = await toolgate(['check', 'run', 'Looks & says', '--live', '--junit', file])
  expect(green).toMatchObject({ code: 0, stderr: '' })
  expect(green.stdout).toMatch(/^Looks & says with Local .*: passed, /m)
  expect(green.stdout).toMatch(/^passed: 1 try passed, 0 failed, 0 not run\. Run of checks /m)
  expect(await readFile(file, 'utf8')).toContain('<testcase name="Looks &amp; says"')

  const saved = join(folder, 'checks.json')
  const exported = await toolgate(['check', 'export', 'Looks & says', '--output', saved])
  expect(exported).toMatchObject({ code: 0, stdout: `Wrote ${saved}.\n`, stderr: '' })
  const imported = await toolgate(['check', 'import', saved])
  expect(imported.stdout).toBe('unchanged Looks & says\n')

  await setToolOverride(site.admin, { toolName: 'list_groups', enabled: false })
  const red = await toolgate(['check', 'run', 'Looks & says', '--junit', file])
  expect(red.code).toBe(1)
  expect(red.stdout).toMatch(
    /^ {2}A call of list_groups succeeds: No call of list_groups succeeded\. .*denied/m,
  )
  expect(await readFile(file, 'utf8')).toContain('<failure message="A call of list_groups')

  await setToolOverride(site.admin, { toolName: 'list_groups', enabled: true })
  const judge = await addJudge({ ...site, server }, verdict(false, 'It is rude.'))
  const rubric = join(folder, 'rubric.txt')
  await writeFile(rubric, 'It is polite.\n')
  const edited = ['check', 'edit', 'Looks & says', '--judge', judge]
  expect((await toolgate(edited)).stderr).toContain('Say what the judge looks for.')
  const judged = await toolgate([...edited, '--rubric', `@${rubric}`])
  expect(judged.stdout).toContain(`- Passes the judge ${judge}: “It is polite.”\n`)
  expect(judged.stdout).toContain('- Calls list_groups at least once\n')
  const rude = await toolgate(['check', 'run', 'Looks & says', '--junit', file])
  expect(rude.code).toBe(1)
  const line = `The judge ${judge} did not pass it. It is rude.`
  expect(rude.stdout).toContain(line)
  expect(await readFile(file, 'utf8')).toContain(line)
  const named = ['--from-run', id, '--name', 'Judged', '--judge', judge, '--rubric', 'Polite.']
  const second = await toolgate(['check', 'add', ...named])
  expect(second.stdout).toContain('- Calls list_groups at least once\n')
  expect(second.stdout).toContain(`- Passes the judge ${judge}: “Polite.”\n`)

  await db().configuration.updateMany({ data: { enabled: false } })
  const refused = await toolgate(['check', 'run', 'Looks & says', '--json'])
  expect(refused).toMatchObject({ code: 4, stderr: '' })
  expect(JSON.parse(refused.stdout)).toMatchObject({ verdict: 'not-run', notRun: 1 })
  expect((await toolgate(['check', 'delete', 'Looks & says'])).code).toBe(0)
  expect((await toolgate(['check', 'run', 'Looks & says'])).code).toBe(1)
}, 90_000)
