import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { watchTools } from './watch-tools'

let folder = ''
let stop = new AbortController()
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'watched-tools-'))
  stop = new AbortController()
})
afterEach(() => {
  stop.abort()
  rmSync(folder, { recursive: true })
})

const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text)
const index = () => readFileSync(path.join(folder, 'index.generated.ts'), 'utf8')
const tool = (name: string) => `export default defineTool({ name: '${name}' })\n`

it('writes the index anew when a tool is added or changed, and says so once the files settled', async () => {
  write('get-env.ts', tool('get_env'))
  const indexes: string[] = []
  watchTools(folder, stop.signal, () => indexes.push(index()))
  write('count-words.ts', '')
  write('count-words.ts', tool('count_words'))
  await expect.poll(() => indexes).toHaveLength(1)
  expect(indexes[0]).toContain("from './count-words'")
  write('count-words.test.ts', 'a test is no tool')
  write('get-env.ts', `${tool('get_env')}// changed`)
  await expect.poll(() => indexes).toHaveLength(2)
})
