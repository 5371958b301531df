import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { entriesOfImports, SERVER_PACKAGE } from '@/scripts/steps/compile-server.mjs'

const run = promisify(execFile)

const importEach = `
  for (const name of JSON.parse(process.argv[1])) {
    await import(name).catch((error) => console.log(name, error.message))
  }
  process.exit()
`

function runScript(options: string[], names: string[]) {
  const args = [...options, '--input-type=module', '--eval', importEach, JSON.stringify(names)]
  return run(process.execPath, args, { maxBuffer: 10_000_000 })
}

test('each module of the package is loaded by Node as it is, and by no browser', async () => {
  const names = Object.keys(entriesOfImports()).map((name) => `${SERVER_PACKAGE}/${name}`)
  expect(names.length).toBeGreaterThan(100)
  const inNode = await runScript([], names)
  expect(inNode.stdout).toBe('')
  const [first = ''] = names
  const inBrowser = await runScript(['--conditions=browser'], [first])
  expect(inBrowser.stdout).toContain('not-for-browsers.js')
})
