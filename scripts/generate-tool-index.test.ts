import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tool-index-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

function addTool(file: string, name: string): void {
  const text = `import { z } from 'zod'\n\nexport default defineTool({\n  name: '${name}',\n  parameters: z.object({ name: z.string() }),\n})\n`
  writeFileSync(join(folder, file), text)
}

function generate() {
  return spawnSync(process.execPath, ['scripts/generate-tool-index.mjs', folder], {
    encoding: 'utf8',
  })
}

it('lists every tool file by name, and leaves tests and its own output out', () => {
  addTool('write-note.ts', 'write_note')
  addTool('get-env.ts', 'get_env')
  addTool('get-env-raw.ts', 'get_env_raw')
  addTool('get-env.test.ts', 'get_env')
  expect(generate()).toMatchObject({ status: 0, stderr: '' })
  expect(generate().status).toBe(0)
  const text = readFileSync(join(folder, 'index.generated.ts'), 'utf8')
  expect(text).toContain("import getEnvRawTool from './get-env-raw'")
  expect(text).toMatch(/\[\n {2}getEnvTool,\n {2}getEnvRawTool,\n {2}writeNoteTool,\n\]/)
})

it('fails when two files declare one name, and says which', () => {
  addTool('get-env.ts', 'get_env')
  addTool('get-environment.ts', 'get_env')
  const { status, stderr } = generate()
  expect(status).toBe(1)
  expect(stderr.trim()).toBe(
    'The tool index was not written: Two tools are called get_env: get-env.ts and get-environment.ts. Rename one of them.',
  )
})

it.each([
  ['environment.ts', 'get_env', 'name the file get-env.ts'],
  ['get-env.ts', 'get-env', 'lower-case words joined by single underscores'],
  ['get-env.ts', 'get__env', 'lower-case words joined by single underscores'],
])('fails when %s declares %s', (file, name, words) => {
  addTool(file, name)
  const { status, stderr } = generate()
  expect(status).toBe(1)
  expect(stderr).toContain(words)
})

it.each([
  ['export const tool = 1\n', 'must default-export defineTool'],
  ['export default defineTool({ name: NAME })\n', 'as a plain string'],
])('fails when a file is no tool: %j', (text, words) => {
  writeFileSync(join(folder, 'broken.ts'), text)
  const { status, stderr } = generate()
  expect(status).toBe(1)
  expect(stderr).toContain(words)
})
